/// A text of the payload as a message shows it: short, and with nothing in it that a terminal obeys.
enum ShownText {
    /// In double quotes.
    static func quoted(_ text: String) -> String { "\"" + short(text, most: 48) + "\"" }

    /// - Parameter most: Unicode scalars.
    static func short(_ text: String, most: Int) -> String {
        let head = text.unicodeScalars.prefix(most)
        let isCut = head.endIndex < text.unicodeScalars.endIndex
        return harmless(String(head)) + (isCut ? "…" : "")
    }

    /// With controls, and what has no width or turns the direction, by their code points.
    static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map { isHidden($0) ? name(of: $0) : String($0) }.joined()
    }

    /// `U+200B`
    static func name(of scalar: Unicode.Scalar) -> String {
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
