import Base

/// A sender's text as a message shows it, without characters that control a terminal or are invisible.
package enum VisibleText {
    /// Returns a text with the names of code points in place of controls, zero-width characters and direction marks.
    package static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map { isHidden($0) ? name(of: $0) : String($0) }.joined()
    }

    /// Returns the start of a text in double quotes, with an ellipsis if the text is longer.
    ///
    /// - Parameter most: The maximum number of Unicode scalars.
    package static func quoted(_ text: String, most: Int = 48) -> String { "\"" + short(text, most: most) + "\"" }

    /// Returns the start of a text, with an ellipsis if the text is longer.
    ///
    /// - Parameter most: The maximum number of Unicode scalars.
    package static func short(_ text: String, most: Int) -> String {
        let head = text.unicodeScalars.prefix(most)
        return of(String(head)) + (head.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }

    /// Returns a text with a full stop, unless the text already ends with a punctuation mark.
    package static func sentence(_ text: String) -> String {
        text.last.map { ".?!".contains($0) } == true ? text : text + "."
    }

    /// Returns the name of a code point, such as `U+200B`.
    package static func name(of scalar: Unicode.Scalar) -> String {
        "U+" + scalar.value.hexadecimal(digits: 4, uppercase: true)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        // The zero-width joiner and the zero-width non-joiner stay in the text, because they connect the parts of emoji
        // and of some scripts.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}

extension InvisibleCharacters.Finding: CustomStringConvertible {
    /// The character and its place, for a sentence about a URL.
    package var description: String {
        let character = "the invisible character \(VisibleText.name(of: scalar))"
        return switch place {
        case .beginning: "\(character) at its beginning"
        case .end: "\(character) at its end"
        case .after(let count): "\(character) after \(count) characters"
        }
    }
}

extension String {
    /// The text in one line, as titles and buttons show it. Characters that change the direction of text are removed,
    /// and each control character becomes a space.
    package var inOneLine: String { withoutControls(keepingLineFeeds: false) }

    /// Returns the text without characters that change the direction of text, and with a space in place of each control
    /// character.
    ///
    /// - Parameter keepingLineFeeds: Whether line feeds stay, because the text may have several lines.
    func withoutControls(keepingLineFeeds: Bool) -> String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            if keepingLineFeeds, scalar == "\n" { return false }
            return [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        guard unicodeScalars.contains(where: { isControl($0) || $0.properties.isBidiControl }) else { return self }
        var line = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.properties.isBidiControl {
            line.append(isControl(scalar) ? " " : scalar)
        }
        return String(line)
    }

    /// Returns the whole characters at the start of the text that fit into a number of bytes.
    func prefix(ofBytes most: Int) -> Substring {
        guard utf8.count > most else { return self[...] }
        // The end is inside a character, or directly after one whose next scalar might belong to it.
        return self[..<utf8.index(startIndex, offsetBy: most)].dropLast()
    }
}
