import NotificationModel
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("de", ["de", "de-DE"]), ("de-AT", ["de-AT", "de", "de-DE"]), ("de_AT", ["de-AT", "de", "de-DE"]),
        ("de-DE", ["de-DE", "de"]), ("zh-Hant-TW", ["zh-Hant-TW", "zh-Hant", "zh"]),
        ("zh-TW", ["zh-TW", "zh-Hant", "zh"]), ("zh", ["zh", "zh-CN"]), ("x-klingon", ["x-klingon", "x"]),
        ("pt", ["pt", "pt-BR"]), ("pt-PT", ["pt-PT", "pt", "pt-BR"]), ("sr-Latn-RS", ["sr-Latn-RS", "sr-Latn", "sr"]),
        ("no", ["no", "nb", "no-NO", "nb-NO"]), ("nb-NO", ["nb-NO", "no-NO", "nb", "no"]),
        ("iw", ["iw", "he", "iw-IL", "he-IL"]), ("he-IL", ["he-IL", "iw-IL", "he", "iw"]),
        ("tl-PH", ["tl-PH", "fil-PH", "tl", "fil"]), ("IN", ["IN", "id", "IN-ID", "id-ID"]),
    ])
    func `a language tag falls back to its shorter forms, other names and usual region`(
        text: String, fallbacks: [String]
    ) throws {
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
