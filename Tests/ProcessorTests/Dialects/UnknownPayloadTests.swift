import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

@Suite struct UnknownPayloadTests {
    private static let push = #"{"aps":{"alert":"x"}}"#

    private func problem(_ text: String) throws -> PayloadProblem {
        let reading = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(reading.dialect == nil)
        return try #require(reading.problems.last { $0.rule == PayloadProblem.unknownPayload })
    }

    @Test(arguments: [
        (#"{"Payload":\#(push)}"#, "/Payload"), (#"{"data":\#(push)}"#, "/data"),
        (#"{"request":{"body":\#(push)},"id":7}"#, "/request/body"), (#"{"events":[\#(push)]}"#, "/events/0"),
        (#"{"a":{"b":{"c":\#(push)}}}"#, "/a/b/c"), (#"{"Message":"{\"aps\":{\"alert\":\"x\"}}"}"#, "/Message"),
    ])
    func `the problem names an unknown wrapper around a push`(_ text: String, _ place: String) throws {
        let problem = try problem(text)
        #expect(problem.place.description == place)
        #expect(problem.text.contains("this value is a payload of apns"), "\(problem.text)")
    }

    @Test(arguments: [
        ("{}", "apns", "aps"), (#"{"hello":1}"#, "apns", "aps"), (#"{"clickUrl":"u","x":1}"#, "mindbox", "uniqueKey"),
        (#"{"push_id":"p"}"#, "sendios", "image_url"), (#"{"room_id":"!r:e"}"#, "matrix", "event_id"),
        (#"{"user":"u","message":"m"}"#, "apns", "aps"), (#"{"notification":{"title":"T"},"data":{}}"#, "apns", "aps"),
    ])
    func `the problem names the nearest dialect and the missing key that this dialect requires`(
        _ text: String, _ dialect: String, _ key: String
    ) throws {
        let problem = try problem(text)
        #expect(problem.text.contains("the nearest dialect is \(dialect), but \(key) is missing"), "\(problem.text)")
    }

    @Test(arguments: [
        (#"{"APS":{"badge":1}}"#, "did you mean aps (apns)?"),
        (#"{"com.batchh":7}"#, "did you mean com.batch (batch)?"),
        (#"{"aps":"{\"alert\":\"x\"}"}"#, "aps is a string of JSON, not an object"),
        (#"{"aps":7}"#, "aps is a number, not an object"),
        (#"{"titel":"T","image":"u"}"#, "did you mean title (webpush)?"),
        (#"{"audience":"all","notification":7}"#, "notification is a number, but airship reads an object there"),
        (#"{"os_data":"x"}"#, "os_data is a string, but onesignal reads an object there"),
    ])
    func `the problem names a misspelt key or a value of a wrong type`(_ text: String, _ words: String) throws {
        let problem = try problem(text)
        #expect(problem.text.contains(words), "\(problem.text)")
        #expect(problem.place != .root)
    }

    @Test(arguments: [
        #"{"message":\#(push)}"#, #"{"message":\#(push),"deviceToken":"x"}"#, #"{"message":{"payload":\#(push)}}"#,
        #"{"topic":"orders","message":"m","data":{"id":"5"}}"#,
        #"{"token":"x","title":"T","body":"B","data":{"k":"v"}}"#,
        #"{"message":{"data":"e30=","messageId":"1"},"subscription":"s"}"#,
        #"{"where":{"id":1},"data":{"title":"newname"}}"#,
    ])
    func `an object of another program is not recognised as a message to FCM`(_ text: String) throws {
        #expect(try problem(text).text.hasPrefix("no dialect recognises the payload"))
    }

    @Test(arguments: [
        #"{"to":"x","data":{"foo":"bar"}}"#, #"{"topic":"orders","data":{"id":"5"}}"#, #"{"notifee":{}}"#,
        #"{"message":{"token":"t","notfication":{"title":"T"}}}"#, #"{"aps":{"title":"T"}}"#, #"{"aps":{"alert":5}}"#,
        #"{"moengage":{},"payload":\#(push)}"#,
    ])
    func `a recognised payload without a visible text is reported as a problem`(_ text: String) throws {
        let reading = DialectTable.standard.read(try #require(try JSONParser.value(of: text).object))
        #expect(reading.dialect != nil && reading.successText.isBlank)
        #expect(reading.problems.map(\.rule) == ["nothing-shown"])
    }

    @Test func `a problem shows only the beginning of a long key, and removes its control characters`() throws {
        for key in [#"x\nappgroupd: /etc/passwd"#, #"\u202e\u001b[31m"#, String(repeating: "x", count: 100_000)] {
            let reading = DialectTable.standard.read(
                try #require(try JSONParser.value(of: #"{"\#(key)":\#(Self.push)}"#).object))
            let summary = try #require(reading.problems.summary)
            #expect(summary.utf8.count < 400)
            #expect(!summary.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }

    /// A sender chooses the payload. The search for a reason must therefore end soon.
    @Test(arguments: [
        String(repeating: #"{"a":"#, count: 120) + "1" + String(repeating: "}", count: 120),
        "{" + (0..<5_000).map { #""k\#($0)":{"a":{"b":{}}}"# }.joined(separator: ",") + "}",
        #"{"a":"\#(String(repeating: "[", count: 50_000))"}"#,
    ])
    func `the problem of a payload with many objects is found within two seconds`(_ text: String) throws {
        let start = ContinuousClock.now
        #expect(try problem(text).text.contains("no dialect recognises the payload"))
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
