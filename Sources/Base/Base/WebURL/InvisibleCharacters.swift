/// The characters that a person cannot see, or cannot tell from a space: controls, line ends, blanks, characters without
/// a width, the byte order mark, the soft hyphen, and marks of direction (Unicode, general categories Cc, Cf, Zs, Zl and
/// Zp, and fillers).
///
/// Variation selectors and tags are left out, because they belong to emoji, also at the end of a text.
package enum InvisibleCharacters {
    /// Returns whether a person cannot see a character.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x7E: false
        // Controls, the space and the no-break space, and the soft hyphen.
        case ...0x20, 0x7F...0xA0, 0xAD: true
        // The grapheme joiner, the Arabic letter mark, fillers of Hangul, and inherent vowels of Khmer.
        case 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0: true
        // Blanks of other widths, and the separators of Mongolian.
        case 0x1680, 0x180E, 0x2000...0x200A, 0x202F, 0x205F, 0x2800, 0x3000: true
        // The zero-width space and joiners, marks, embeddings and isolates of direction, line and paragraph separators.
        case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        // The byte order mark, and annotations.
        case 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    /// Returns whether a text has no other bytes than those of visible ASCII characters.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Returns the text without invisible characters at its ends.
    package static func trimmed(_ text: String) -> String {
        guard !isPlain(text) else { return text }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !contains($0) }),
            let last = scalars.lastIndex(where: { !contains($0) })
        else { return "" }
        return String(scalars[first...last])
    }

    /// An invisible character of a URL.
    package struct Finding: Equatable {
        package enum Place: Equatable {
            case beginning
            case end
            /// Between other characters. The value is the number of characters before the invisible one.
            case after(Int)
        }

        package let scalar: Unicode.Scalar
        package let place: Place
    }

    /// Returns the first invisible character of a text with its place; `nil` if it has no such character. Spaces and
    /// joiners between other characters are not reported, because a URL may have an emoji of several characters.
    package static func first(in text: String) -> Finding? {
        guard !isPlain(text) else { return nil }
        let scalars = text.unicodeScalars
        if let first = scalars.first(where: { $0 != " " }), contains(first) {
            return Finding(scalar: first, place: .beginning)
        }
        if let last = scalars.last(where: { $0 != " " }), contains(last) { return Finding(scalar: last, place: .end) }
        for (offset, scalar) in scalars.enumerated() where contains(scalar) {
            guard scalar != " ", scalar != "\u{200C}", scalar != "\u{200D}" else { continue }
            return Finding(scalar: scalar, place: .after(offset))
        }
        return nil
    }
}
