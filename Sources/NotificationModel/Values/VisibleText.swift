/// A stranger's text as a message shows it: without characters that a terminal obeys or that are invisible.
package enum VisibleText {
    /// Controls, characters without a width and those that turn the direction are written as their code points.
    package static func of(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map { isHidden($0) ? name(of: $0) : String($0) }.joined()
    }

    /// The head of a text in double quotes, with an ellipsis if it is longer.
    ///
    /// - Parameter most: Unicode scalars.
    package static func quoted(_ text: String, most: Int = 48) -> String { "\"" + short(text, most: most) + "\"" }

    /// The head of a text, with an ellipsis if it is longer.
    ///
    /// - Parameter most: Unicode scalars.
    package static func short(_ text: String, most: Int) -> String {
        let head = text.unicodeScalars.prefix(most)
        return of(String(head)) + (head.endIndex < text.unicodeScalars.endIndex ? "…" : "")
    }

    /// A text with a full stop, unless it ends with a mark of its own.
    package static func sentence(_ text: String) -> String {
        text.last.map { ".?!".contains($0) } == true ? text : text + "."
    }

    /// `U+200B`
    package static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        // The joiners hold emoji and scripts together.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}
