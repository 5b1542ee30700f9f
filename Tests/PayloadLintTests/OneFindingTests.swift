import NotificationProcessor
import PayloadLint
import Testing

/// One mistake makes one finding: that of the rule with the better advice.
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
    func `a picture at the wrong level of a message to FCM is one finding`(_ part: String, _ rule: String) {
        let text = #"{"message": {"topic": "t", "notification": {"title": "Hi", "body": "There"}, \#(part)}}"#
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }

    @Test func `a relative URL of Home Assistant has no finding when its server is known`() {
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
    func `a medium that is not read is one finding`(_ part: String, _ rule: String) {
        let text = RuleCase.aps(RuleCase.rich, part)
        #expect(Lint.findings(text).map(\.rule) == [rule])
    }
}
