import Base

/// A language tag of BCP 47: `de`, `de-AT`, `zh-Hant-TW`. Its letters, digits and dashes can be a file name.
package struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Parses a tag; `nil` if the text is not a tag. An underscore, as in POSIX and in Apple's older names, counts as a
    /// dash.
    package init?(_ text: String) {
        let tag = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        let parts = tag.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in (1...8).contains(part.count) && part.allSatisfy(\.isASCIILetterOrDigit) }
        guard isTag, tag.count <= 35 else { return nil }
        description = String(decoding: tag, as: UTF8.self)
    }

    private init(description: String) { self.description = description }

    /// The tags under which texts are looked up, the most exact one first: the tag itself and shorter ones, each of which
    /// leaves out the last part (RFC 4647 §3.4), and at the end the language in the region of most of its speakers. Each
    /// tag is followed by the tag with an older or newer name of its language. For Chinese with a region, such as `zh-TW`,
    /// the tag of the script comes before the language, as in Apple's and Unicode's matching.
    package var fallbacks: [LanguageTag] {
        let parts = description.split(separator: "-")
        let language = parts[0].lowercased()
        var tags = parts.indices.reversed().map { parts[...$0].joined(separator: "-") }
        if parts.count == 2, language == "zh", let script = Self.scriptsOfChinese[parts[1].uppercased()] {
            tags.insert("zh-\(script)", at: 1)
        }
        let names = [language] + Self.otherNames(of: language)
        let isInScript = parts.count > 1 && (parts[1].utf8.count == 4 || language == "zh")
        if !isInScript, let region = names.lazy.compactMap({ Self.regions[$0] }).first {
            tags.append("\(parts[0])-\(region)")
        }
        var seen: Set<String> = []
        return tags.flatMap { tag in
            [tag] + names.dropFirst().map { $0 + tag.dropFirst(parts[0].count) }
        }.filter { seen.insert($0).inserted }.map(LanguageTag.init(description:))
    }

    private static func otherNames(of language: String) -> [String] {
        if let newer = aliases[language] { return [newer] }
        return aliases.filter { $0.value == language }.map(\.key).sorted()
    }

    /// The newer names of languages (CLDR 45, `languageAlias` of `supplementalMetadata.xml`).
    private static let aliases = [
        "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "no": "nb", "tl": "fil",
    ]

    /// The regions of most speakers (CLDR 45, `likelySubtags.xml`).
    private static let regions = [
        "ar": "EG", "bg": "BG", "bn": "BD", "ca": "ES", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US",
        "es": "ES", "et": "EE", "eu": "ES", "fa": "IR", "fi": "FI", "fil": "PH", "fr": "FR", "gl": "ES", "he": "IL",
        "hi": "IN", "hr": "HR", "hu": "HU", "id": "ID", "is": "IS", "it": "IT", "ja": "JP", "ko": "KR", "lt": "LT",
        "lv": "LV", "ms": "MY", "nb": "NO", "nl": "NL", "nn": "NO", "pl": "PL", "pt": "BR", "ro": "RO", "ru": "RU",
        "sk": "SK", "sl": "SI", "sr": "RS", "sv": "SE", "sw": "TZ", "ta": "IN", "te": "IN", "th": "TH", "tr": "TR",
        "uk": "UA", "ur": "PK", "vi": "VN", "zh": "CN",
    ]

    private static let scriptsOfChinese = [
        "TW": "Hant", "HK": "Hant", "MO": "Hant", "CN": "Hans", "SG": "Hans", "MY": "Hans",
    ]
}
