import NotificationModel
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("de", ["de"]), ("de-AT", ["de-AT", "de"]), ("de_AT", ["de-AT", "de"]),
        ("zh-Hant-TW", ["zh-Hant-TW", "zh-Hant", "zh"]), ("x-klingon", ["x-klingon", "x"]),
    ])
    func `a language tag falls back to its shorter forms`(text: String, fallbacks: [String]) throws {
        #expect(try #require(LanguageTag(text)).fallbacks.map(\.description) == fallbacks)
    }

    @Test(arguments: [
        "", "-", "de-", "-de", "de--AT", "../etc", "de/AT", "de AT", "dé", "toolongpart", "a\0b", "de.json",
        "aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa",
    ])
    func `a text that is not a tag is refused`(text: String) {
        #expect(LanguageTag(text) == nil)
    }
}
