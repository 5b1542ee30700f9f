import Base
import NotificationModel
import NotificationProcessor
import PayloadLint
import TestSupport
import Testing

/// Tests that a mistake has one finding, which is from the rule with the best advice.
@Suite struct OneFindingTests {
    @Test(arguments: [
        (#""fcm_options": {"image": "https://a.b/c.png"}"#, "fcm-options-place"),
        (
            #""apns": {"payload": {"aps": {"mutable-content": 1}, "fcm_options": {"image": "https://a.b/c.png"}}}"#,
            "fcm-options-place"
        ),
        (
            #""apns": {"payload": {"aps": {"mutable-content": 1, "fcm_options": {"image": "https://a.b/c.png"}}}}"#,
            "fcm-options-place"
        ),
        (
            #""apns": {"payload": {"aps": {"mutable-content": 1}}, "fcm_option": {"image": "https://a.b/c.png"}}"#,
            "unread-key"
        ),
    ])
    func `an image at the wrong level of an FCM message has one finding`(_ part: String, _ rule: String) {
        let text = #"{"message": {"topic": "t", "notification": {"title": "Hi", "body": "There"}, \#(part)}}"#
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }

    @Test func `a relative URL of Home Assistant has no finding if the server is configured`() {
        let text = RuleCase.aps(RuleCase.rich, #""attachment": {"url": "/local/door.jpg"}"#)
        let locator = MediaURLResolver(homeAssistant: "https://home.example.net")
        let file = LintFile(name: "push.json", bytes: Array(text.utf8))
        #expect(PayloadLinter(date: Lint.now, locator: locator).lint(file) == [])
        #expect(Lint.linter.lint(file).map(\.rule) == ["url-base"])
    }

    @Test(arguments: [
        (#""os_dta": {"att": {"a": "https://a.b/c.png"}}"#, "unread-key"),
        (#""os_data": {"i": "1"}, "att": {"a": "https://a.b/c.png"}"#, "unread-key"),
        (#""os_data": {"i": "1", "att": ["https://a.b/c.png"]}"#, "unread-type"),
        (#""heroURL": "https://a.b/c.png""#, "media-unread"),
        (#""image": "c.png""#, "url-relative"),
    ])
    func `a media item that no dialect reads has one finding`(_ part: String, _ rule: String) {
        let text = RuleCase.aps(RuleCase.rich, part)
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }

    @Test(arguments: [
        (#"{"title": "T", "body": "B", "tag": "t", "image": "https://a.b/c.png", "os_dta": {"i": "1"}}"#, false),
        (#"{"title": "T", "body": "B", "tag": "t", "image": "https://a.b/c.png", "imge": "x", "icn": "y"}"#, true),
        (#"{"aps": {"alert": "x", "mutable-content": 1}, "os_dta": {"i": "1"}}"#, true),
    ])
    func `a key of another sender is suggested only to a payload that has most keys of this sender`(
        _ text: String, _ isSuggested: Bool
    ) {
        #expect(Lint.findings(text).contains { $0.rule == "unread-key" } == isSuggested, "\(Lint.findings(text))")
    }

    @Test(arguments: [
        (#"{"aps": "x"}"#, "wrong-type"), (#"{"aps": ["x"]}"#, "wrong-type"), (#"{"aps": 7}"#, "wrong-type"),
        (#"{"aps": "{\"alert\": \"x\"}"}"#, "wrong-type"), (#"{"APS": {"alert": "x"}}"#, "misspelt-aps"),
        (#"{"apns": {"alert": "x"}}"#, "misspelt-aps"), (#"{"appear2me0": {"text": "x"}}"#, "2mee-key"),
        (#"{"type": "TEXT", "text": "x"}"#, "unknown-payload"), (#"{"os_data": "x"}"#, "unknown-payload"),
        (#"{"type": "HOLOPUSH", "url": "https://a.b/c.png"}"#, "unknown-payload"),
        (#"{"os_dta": {"att": {"a": "https://a.b/c.png"}}}"#, "unknown-payload"),
        (#"{"audience": "all", "notification": 7}"#, "unknown-payload"),
    ])
    func `a payload that no dialect recognises because of a mistake has one finding`(_ text: String, _ rule: String) {
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }

    @Test(arguments: [
        (#""notifee": "{\"title\": \"T""#, "/message/data/notifee"),
        (#""content": "{'channelKey': 'c'}""#, "/message/data/content"),
        (#""custom": "{\"i\": \"1\"""#, "/message/data/custom"), (#""sendbird": "hello""#, "/message/data/sendbird"),
        (#""com.batch": "{]""#, "/message/data/com.batch"),
    ])
    func `broken JSON in the data of a message has one finding`(_ member: String, _ place: String) {
        let findings = Lint.findings(#"{"message": {"topic": "t", "data": {\#(member)}}}"#)
        #expect(findings.map(\.rule) == ["fcm-data-json"])
        #expect(findings.map(\.pointer) == [place])
    }

    /// The reports are the result, the finding of `lint`, and the error of a configuration that refuses unknown
    /// payloads.
    @Test(arguments: [
        "{}", #"{"aps": null, "x": 1}"#, #"{"os_dta": {"i": "1"}}"#, #"{"titel": "x", "image": "y"}"#,
        #"{"push_id": "p"}"#, #"{"data": {"aps": {"alert": "x"}}}"#, #"{"room_id": "r", "evnt": "e"}"#,
        #"{"type": "TEXT", "text": "x"}"#, #"{"type": "HOLOPUSH", "channel": "c"}"#, #"{"com.batchh": 7}"#,
        #"{"clickUrl": "u"}"#, #"{"os_data": []}"#, #"{"hello": {"image_url": "https://a.b/c.png"}}"#,
        #"{"user": "u", "mesage": "m"}"#,
    ])
    func `all reports about an unknown payload state the same reason`(_ text: String) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        let problem = try #require(DialectTable.standard.read(object).problems.first)
        let finding = try #require(Lint.findings(text, of: "unknown-payload").first)
        #expect(finding.message == problem.text)
        #expect(finding.pointer == problem.place.description)
        var defaults = RequestDefaults()
        defaults.unknownPayloads = .reject
        let submission = Submission(object: object, arrival: ManualClock().reading)
        let error = EnvelopeReader(defaults: defaults, dialects: .standard).request(from: submission).error
        #expect(error?.problem == [problem].summary)
    }

    @Test(arguments: [
        (#"{"aps": {"alert": 7, "mutable-content": 1}}"#, "wrong-type"),
        (#"{"aps": {"alert0": "x", "mutable-content": 1}}"#, "misspelt-key"),
        (#"{"aps": {"mutable-content": 1}}"#, "no-visible-alert"),
        (#"{"aps": 7, "source": "Insider"}"#, "wrong-type"),
        (#"{"aps0": {"alert": "x"}, "source": "Insider"}"#, "misspelt-aps"),
    ])
    func `a mistake has one finding, and its effect has no second finding`(_ text: String, _ rule: String) {
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }
}
