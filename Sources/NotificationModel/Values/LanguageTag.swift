/// A language as BCP 47 writes it: `de`, `de-AT`, `zh-Hant-TW`. Letters, digits and dashes only, so that it can name a
/// file.
package struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Returns: `nil` for what is no tag. An underscore, as POSIX and Apple's older names have it, counts as a dash.
    package init?(_ text: String) {
        let tag = text.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        let parts = tag.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { part in (1...8).contains(part.count) && part.allSatisfy(Self.isLetterOrDigit) }
        guard isTag, tag.count <= 35 else { return nil }
        description = String(decoding: tag, as: UTF8.self)
    }

    private init(description: String) { self.description = description }

    /// From the whole tag to its language alone, by leaving out the last part (RFC 4647 §3.4). For Chinese of a
    /// region, such as `zh-TW`, the tag of its script comes before the language alone, as in Apple's and Unicode's matching
    /// (CLDR, likely subtags).
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

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
