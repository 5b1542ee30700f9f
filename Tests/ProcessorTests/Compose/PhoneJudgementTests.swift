import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct PhoneJudgementTests {
    private func judgement(_ text: String) throws -> PhoneView {
        PhoneView(try #require(try JSONParser.value(of: text).object))
    }

    @Test(arguments: try SampleFixture.all())
    func `each sample has the expected judgement, with a reason if the phone does not run the extension`(
        sample: SampleFixture
    ) throws {
        let expected = try #require(sample.expected["nse_would_run"])
        let judgement = PhoneView(sample.request(at: ManualClock()).request.payload)
        #expect(judgement.wouldRunExtension == expected.bool)
        #expect((judgement.why == nil) == (expected.bool == true))
    }

    @Test(arguments: [
        #"{"aps":{"alert":"x","mutable-content":1}}"#, #"{"aps":{"alert":"x","mutable-content":1.0}}"#,
        #"{"aps":{"alert":{"title":"x"},"mutable-content":1}}"#,
        #"{"aps":{"alert":{"subtitle":"x"},"mutable-content":1}}"#,
        #"{"aps":{"alert":{"body":"x","title":7},"mutable-content":1}}"#,
        #"{"aps":{"alert":{"loc-key":"X"},"mutable-content":1}}"#,
        #"{"aps":{"alert":{"title-loc-key":"X"},"mutable-content":1}}"#,
        #"{"aps":{"alert":{"subtitle-loc-key":"X"},"mutable-content":1}}"#,
        #"{"aps":{"alert":"x","mutable-content":1,"content-available":1}}"#,
        #"{"aps":{"alert":"x","mutable-content":0,"mutable-content":1}}"#,
        #"{"aps":7,"aps":{"alert":"x","mutable-content":1}}"#,
        #"{"aps":{"alert":"x","mutable-content":1,"mutableContent":0,"event":7,"content-state":null},"event":"e"}"#,
        #"{"aps":{"alert":"x","mutable-content":1},"mutable-content":0,"alert":{}}"#,
    ])
    func `the extension runs if the push has a visible alert and mutable-content is the number 1`(text: String) throws {
        let judgement = try judgement(text)
        #expect(judgement.wouldRunExtension == true)
        #expect(judgement.why == nil)
    }

    @Test(arguments: [
        (#"{"mutableContent":1}"#, "a phone does not read /aps/mutableContent: it must be /aps/mutable-content"),
        (#"{"mutable_content":1}"#, "a phone does not read /aps/mutable_content: it must be /aps/mutable-content"),
        (#"{"mutabel-content":1}"#, "a phone does not read /aps/mutabel-content: it must be /aps/mutable-content"),
        (#"{"MUTABLE-CONTENT":1}"#, "a phone does not read /aps/MUTABLE-CONTENT: it must be /aps/mutable-content"),
        (#"{"badge":1}"#, "/aps/mutable-content is missing: set it to the number 1"),
        (#"{"content-available":1}"#, "/aps/mutable-content is missing: set it to the number 1"),
        (#"{"mutable-content":true}"#, "/aps/mutable-content is true: it must be the number 1"),
        (#"{"mutable-content":false}"#, "/aps/mutable-content is false: it must be the number 1"),
        (#"{"mutable-content":"1"}"#, "/aps/mutable-content is a string: it must be the number 1"),
        (#"{"mutable-content":null}"#, "/aps/mutable-content is null: it must be the number 1"),
        (#"{"mutable-content":[1]}"#, "/aps/mutable-content is an array: it must be the number 1"),
        (#"{"mutable-content":{}}"#, "/aps/mutable-content is an object: it must be the number 1"),
        (#"{"mutable-content":0}"#, "/aps/mutable-content is not 1: it must be the number 1"),
        (#"{"mutable-content":1.5}"#, "/aps/mutable-content is not 1: it must be the number 1"),
        (#"{"mutable-content":1,"mutable-content":2}"#, "/aps/mutable-content is not 1: it must be the number 1"),
    ])
    func `a wrong value of mutable-content is reported with its path`(aps: String, why: String) throws {
        let judgement = try judgement(#"{"aps":{"alert":"x",\#(aps.dropFirst())}"#)
        #expect(judgement.wouldRunExtension == false)
        #expect(judgement.why == why)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"x"},"mutableContent":1}"#, "/mutableContent"),
        (#"{"aps":{"alert":"x"},"mutable-content":1}"#, "/mutable-content"),
        (#"{"aps":{"alert":{"body":"x","mutable-content":1}}}"#, "/aps/alert/mutable-content"),
        (#"{"aps":{"alert":"x","mutable/content":1}}"#, "/aps/mutable~1content"),
    ])
    func `a misplaced or misspelt mutable-content is reported with its path`(text: String, place: String) throws {
        #expect(try judgement(text).why == "a phone does not read \(place): it must be /aps/mutable-content")
    }

    @Test(arguments: [
        (#"{"mutable-content":1}"#, "/aps/alert is missing, so nothing is shown: write a text"),
        (
            #"{"mutable-content":1,"badge":3,"sound":"x"}"#,
            "/aps/alert is missing, so nothing is shown: write a text"
        ),
        (
            #"{"mutable-content":1,"content-available":1}"#,
            "it is a background push, which shows nothing: write a text at /aps/alert"
        ),
        (#"{"mutable-content":1,"alert":""}"#, "/aps/alert is empty, so nothing is shown: write a text"),
        (#"{"mutable-content":1,"alert":null}"#, "/aps/alert is missing, so nothing is shown: write a text"),
        (
            #"{"mutable-content":1,"alert":{}}"#,
            "/aps/alert has no title, subtitle or body with a text: write one"
        ),
        (
            #"{"mutable-content":1,"alert":{"title":"","body":7,"loc-key":"","loc-args":["x"]}}"#,
            "/aps/alert has no title, subtitle or body with a text: write one"
        ),
        (#"{"mutable-content":1,"alert":7}"#, "/aps/alert is a number: it must be a text or an object"),
        (#"{"mutable-content":1,"alert":["x"]}"#, "/aps/alert is an array: it must be a text or an object"),
        (#"{"mutable-content":1,"alert":true}"#, "/aps/alert is a boolean: it must be a text or an object"),
        (#"{"mutable-content":1,"body":"x"}"#, "a phone does not read /aps/body: it must be /aps/alert/body"),
        (
            #"{"mutable-content":1,"alert":"x","content-state":{}}"#,
            "/aps/content-state makes it a push for a Live Activity, and no extension runs for it: remove it to show an alert"
        ),
        (
            #"{"mutable-content":1,"alert":"x","event":"end"}"#,
            "/aps/event makes it a push for a Live Activity, and no extension runs for it: remove it to show an alert"
        ),
    ])
    func `the reason why no alert is visible takes precedence over a wrong mutable-content`(aps: String, why: String)
        throws
    {
        for aps in [aps, aps.replacing(#""mutable-content":1"#, with: #""mutable-content":0"#)] {
            let judgement = try judgement(#"{"aps":\#(aps)}"#)
            #expect(judgement.wouldRunExtension == false)
            #expect(judgement.why == why)
        }
    }

    @Test func `an alert outside of aps is reported as misplaced`() throws {
        let judgement = try judgement(#"{"aps":{"mutable-content":1},"alert":{"body":"x"}}"#)
        #expect(judgement.wouldRunExtension == false)
        #expect(judgement.why == "a phone does not read /alert: it must be /aps/alert")
    }

    @Test(
        arguments: [
            ("{}", "there is no object /aps, so it is not a push to a phone"),
            (
                #"{"message":{"apns":{"payload":{"aps":{"alert":"x","mutable-content":1}}}}}"#,
                "FCM makes the push for an iPhone of this message"
            ),
            (
                #"{"message":{"notification":{"title":"x"},"apns":{"payload":{"aps":{}}}}}"#,
                "/message/apns/payload/aps/mutable-content is missing: set it to the number 1"
            ),
            (
                #"{"message":{"notification":{"title":"x"}}}"#,
                "/message/apns/payload/aps is missing, so FCM sends no mutable-content: "
                    + "set /message/apns/payload/aps/mutable-content to the number 1"
            ),
            (
                #"{"token":"t","notification":{"title":"x"},"apns":{"payload":{"aps":{"mutableContent":true}}}}"#,
                "FCM makes the push for an iPhone of this message"
            ),
            (#"{"title":"x","image":"https://a.example/1"}"#, nil), (#"{"apps":{"list":["x"]}}"#, nil),
            (#"{"aps":null}"#, "/aps is null: it must be an object"),
            (#"{"aps":"{\"alert\":\"x\"}"}"#, "/aps is a string: it must be an object"),
            (#"{"aps":{"alert":"x","mutable-content":1},"aps":[]}"#, "/aps is an array: it must be an object"),
            (#"{"id":7,"asp":{"alert":"x"}}"#, "a phone does not read /asp: it must be /aps"),
            (#"{"APS":{"mutable-content":1}}"#, "a phone does not read /APS: it must be /aps"),
            (#"{"a/ps":{"content-available":1}}"#, "a phone does not read /a~1ps: it must be /aps"),
        ] as [(String, String?)])
    func `the judgement is unknown for a payload that no phone receives`(text: String, why: String?) throws {
        let judgement = try judgement(text)
        #expect(judgement.wouldRunExtension == nil)
        #expect(judgement.why == why ?? "there is no object /aps, so it is not a push to a phone")
    }

    @Test(.timeLimit(.minutes(1))) func `a payload of a hundred thousand keys is judged within a minute`() {
        var object = JSONObject()
        for number in 0..<100_000 { object.append("mutable\(number)", ["x": 1]) }
        let flood = JSONValue.object(object)
        for payload in [
            flood.object, ["aps": flood], ["aps": ["alert": flood]], ["aps": ["alert": "x"], "data": flood],
        ] {
            #expect(PhoneView(payload ?? [:]).why != nil)
        }
    }
}
