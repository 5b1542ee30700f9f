import NotificationModel
import Testing

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("plain", "\"plain\""), ("\u{1B}[31mfa\u{202E}ce", "\"U+001B[31mfaU+202Ece\""), ("", "\"\""),
        ("f" + String(repeating: "\u{301}", count: 100_000), "\"f" + String(repeating: "\u{301}", count: 47) + "…\""),
    ])
    func `a sender's text is quoted, cut and cleaned of control characters`(text: String, quoted: String) {
        #expect(VisibleText.quoted(text) == quoted)
    }
}
