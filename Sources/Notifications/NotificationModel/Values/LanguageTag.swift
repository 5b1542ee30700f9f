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

    /// The tags from the whole tag to its language alone; each one leaves out the last part (RFC 4647 §3.4). For
    /// Chinese with a region, such as `zh-TW`, the tag of the script comes before the language. Apple's and Unicode's
    /// matching use the same order (CLDR, likely subtags).
    package var fallbacks: [LanguageTag] {
        let parts = description.split(separator: "-")
        let tags = parts.indices.reversed().map { LanguageTag(description: parts[...$0].joined(separator: "-")) }
        guard parts.count == 2, parts[0].lowercased() == "zh", let script = Self.scriptsOfChinese[parts[1].uppercased()]
        else { return tags }
        return [tags[0], LanguageTag(description: "zh-\(script)"), tags[1]]
    }

    private static let scriptsOfChinese = [
        "TW": "Hant", "HK": "Hant", "MO": "Hant", "CN": "Hans", "SG": "Hans", "MY": "Hans",
    ]
}
