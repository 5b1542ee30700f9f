import NotificationModel
import Testing

@Suite struct RecipientNameTests {
    /// SQLite compares the bytes of names, and Swift compares their normal forms.
    @Test(arguments: ["e\u{301}", "\u{E9}"])
    func `both spellings of a letter are the same name, with the same bytes`(spelling: String) throws {
        #expect(RecipientName.parse(spelling).map { Array($0.utf8) } == Array("\u{E9}".utf8))
        #expect(Array(RecipientName(group: .default, name: spelling).name.utf8) == Array("\u{E9}".utf8))
    }

    @Test(arguments: ["", "a\u{FFFD}", "a\nb", "\u{202E}a", String(repeating: "a", count: 257)])
    func `a text that is no name is refused`(text: String) { #expect(RecipientName.parse(text) == nil) }
}
