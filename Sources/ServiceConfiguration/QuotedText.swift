import NotificationModel

/// A text as it is repeated in a message: in quotes, on one line, not longer than a line takes.
enum QuotedText {
    static func quote(_ text: String) -> String {
        let longest = 60
        let shown = text.count <= longest ? text : text.prefix(longest) + "…"
        return JSONWriter.text(of: .string(shown))
    }

    /// As it was written, so that places in it can be counted; where that takes more than a line, as `quote` has it.
    static func verbatim(_ text: String) -> String {
        let isShort = text.unicodeScalars.count <= 120
        let isPlain = text.unicodeScalars.allSatisfy {
            ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        return isShort && isPlain ? "\"\(text)\"" : quote(text)
    }

    /// A path whole, and without quotes where it needs none.
    static func path(_ path: String) -> String {
        let isPlain = !path.isEmpty && path.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? path : JSONWriter.text(of: .string(path))
    }
}
