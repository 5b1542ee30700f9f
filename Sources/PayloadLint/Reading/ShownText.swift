import NotificationModel

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

    static func harmless(_ text: String) -> String { VisibleText.of(text) }

    /// `U+200B`
    static func name(of scalar: Unicode.Scalar) -> String { VisibleText.name(of: scalar) }
}
