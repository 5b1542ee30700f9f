import NotificationModel

/// A text as it is repeated in a message: in quotes, on one line, not longer than a line takes.
enum QuotedText {
    static func quote(_ text: String) -> String {
        let longest = 60
        let shown = text.count <= longest ? text : text.prefix(longest) + "…"
        return JSONWriter.text(of: .string(shown))
    }

    /// A path whole, and without quotes where it needs none.
    static func path(_ path: String) -> String {
        let isPlain = !path.isEmpty && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? path : JSONWriter.text(of: .string(path))
    }
}
