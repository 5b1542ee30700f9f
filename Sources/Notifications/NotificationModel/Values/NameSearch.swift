@_spi(_Unicode) import Swift

/// A search for names in bytes that are not decoded, such as a file that is no JSON.
///
/// A name is found as a whole word: it has no letter, digit or combining mark beside it. The forms are UTF-8, the escapes
/// of JSON (RFC 8259), percent-encoding (RFC 3986) and UTF-16 in both orders, each composed (NFC) and decomposed (NFD).
/// Base64 and compressed bytes are not searched.
package struct NameSearch: Sendable {
    /// The length of the shortest name that is searched, in bytes. Shorter names are words of many texts.
    package static let minBytes = 3
    /// The number of escapes within escapes that are decoded, as in JSON in a string of JSON.
    private static let maxLevels = 3

    private let words: [[UInt8]]
    /// The names in UTF-16, in both orders of bytes.
    private let wideWords: [(bytes: [UInt8], isBigEndian: Bool)]

    package init(_ names: some Sequence<String>) {
        let forms = Set(
            names.filter { $0.utf8.count >= Self.minBytes }.flatMap { name in
                [Array(name.utf8), Self.utf8(name._nfc), Self.utf8(name._nfd)]
            })
        words = Array(forms)
        wideWords = forms.flatMap { form in
            let units = Array(String(decoding: form, as: UTF8.self).utf16)
            return [false, true].map { isBigEndian in
                let bytes = units.flatMap { unit -> [UInt8] in
                    let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
                    return isBigEndian ? [high, low] : [low, high]
                }
                return (bytes, isBigEndian)
            }
        }
    }

    /// The number of bytes at the end of a part of a text in which a name can begin and not end, in all forms.
    package var overlap: Int { 6 * ((words.map(\.count).max() ?? 0) + 8) }

    /// Returns whether a name is in a part of a text. The word at the edge of a part may go on, and is in the next part, too.
    package func finds(inPart bytes: [UInt8], isFirst: Bool, isLast: Bool) -> Bool {
        let letters = Array("aa".utf8)
        return finds(in: (isFirst ? [] : letters) + bytes + (isLast ? [] : letters))
    }

    /// Returns whether a name is in the bytes.
    package func finds(in bytes: [UInt8]) -> Bool {
        guard !words.isEmpty else { return false }
        if hasWord(bytes) || hasWideWord(bytes) { return true }
        var text = bytes
        for _ in 0..<Self.maxLevels {
            guard let plain = Self.withoutEscapes(text) else { break }
            text = plain
            if hasWord(text) { return true }
        }
        return Self.percentDecoded(text).map(hasWord) ?? false
    }

    private static func utf8(_ scalars: some Sequence<Unicode.Scalar>) -> [UInt8] {
        scalars.flatMap { Array($0.utf8) }
    }

    // MARK: Words

    private func hasWord(_ bytes: [UInt8]) -> Bool {
        words.contains { word in
            Self.contains(bytes, word) { start, end in
                !Self.isOfWord(Self.scalar(before: start, in: bytes)) && !Self.isOfWord(Self.scalar(at: end, in: bytes))
            }
        }
    }

    private func hasWideWord(_ bytes: [UInt8]) -> Bool {
        wideWords.contains { word in
            func unit(at index: Int) -> Unicode.Scalar? {
                guard index >= 0, index + 1 < bytes.count else { return nil }
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return Unicode.Scalar(word.isBigEndian ? first << 8 | second : second << 8 | first)
            }
            return Self.contains(bytes, word.bytes) { start, end in
                !Self.isOfWord(unit(at: start - 2)) && !Self.isOfWord(unit(at: end))
            }
        }
    }

    /// Returns whether the bytes have a word at a place that meets a condition.
    private static func contains(
        _ bytes: [UInt8], _ word: [UInt8], where isMet: (_ start: Int, _ end: Int) -> Bool
    ) -> Bool {
        guard bytes.count >= word.count else { return false }
        for start in 0...(bytes.count - word.count) where bytes[start] == word[0] {
            if (1..<word.count).allSatisfy({ bytes[start + $0] == word[$0] }), isMet(start, start + word.count) {
                return true
            }
        }
        return false
    }

    private static func isOfWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let properties = scalar?.properties else { return false }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: properties.isAlphabetic || properties.numericType != nil
        }
    }

    private static func scalar(at index: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        String(decoding: bytes[index..<min(index + 4, bytes.count)], as: UTF8.self).unicodeScalars.first
    }

    private static func scalar(before index: Int, in bytes: [UInt8]) -> Unicode.Scalar? {
        var start = index
        // The other bytes of a scalar are 10xxxxxx.
        repeat { start -= 1 } while start > max(0, index - 4) && bytes[start] & 0xC0 == 0x80
        return start < 0 ? nil : String(decoding: bytes[start..<index], as: UTF8.self).unicodeScalars.last
    }

    // MARK: Forms

    /// Returns the bytes with each escape of JSON replaced by its character; `nil` if there is no escape.
    private static func withoutEscapes(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
        var (plain, index): ([UInt8], Int) = ([], 0)
        plain.reserveCapacity(bytes.count)
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                plain.append(bytes[index])
                index += 1
                continue
            }
            let kind = bytes[index + 1]
            if kind == UInt8(ascii: "u"), let unit = unit(at: index + 2, in: bytes) {
                index += 6
                var units = [unit]
                if UTF16.isLeadSurrogate(unit), bytes[index...].starts(with: "\\u".utf8),
                    let trail = Self.unit(at: index + 2, in: bytes), UTF16.isTrailSurrogate(trail)
                {
                    units.append(trail)
                    index += 6
                }
                plain += String(decoding: units, as: UTF16.self).utf8
            } else {
                plain.append("bfnrt".utf8.contains(kind) ? UInt8(ascii: " ") : kind)
                index += 2
            }
        }
        return plain
    }

    private static func unit(at index: Int, in bytes: [UInt8]) -> UInt16? {
        guard index + 4 <= bytes.count else { return nil }
        return UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    }

    /// Returns the bytes with each percent-encoded byte decoded; `nil` if no byte is encoded.
    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.contains(UInt8(ascii: "%")) else { return nil }
        var (plain, index): ([UInt8], Int) = ([], 0)
        plain.reserveCapacity(bytes.count)
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 3 <= bytes.count,
                let byte = UInt8(String(decoding: bytes[index + 1..<index + 3], as: UTF8.self), radix: 16)
            {
                plain.append(byte)
                index += 3
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return plain
    }
}
