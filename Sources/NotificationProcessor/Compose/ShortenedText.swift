import JSON

/// A text of a payload that can be shortened to its first characters and `…`.
///
/// A character is the unit that people see, a grapheme cluster of Unicode (UAX #29). A flag, a letter with its accents
/// and an emoji with its variation selector are kept or removed as a whole.
struct ShortenedText {
    private static let ellipsis = "…"

    let place: JSONPath
    private let text: String
    /// The size of the whole text, in bytes of JSON.
    private let byteCount: Int
    /// The end of each character, and the number of bytes up to it.
    private let ends: [(index: String.Index, byteCount: Int)]

    /// Creates the text of a node; `nil` if the node is not a text.
    ///
    /// - Parameter limit: The limit of the whole payload, in bytes. No text keeps as many characters.
    init?(_ node: JSONNode, limit: Int) {
        guard let text = node.text else { return nil }
        place = node.path
        self.text = text
        byteCount = Self.byteCount(of: text)
        var ends: [(index: String.Index, byteCount: Int)] = []
        while ends.count < limit, let start = ends.isEmpty ? text.startIndex : ends.last?.index, start < text.endIndex {
            let end = text.index(after: start)
            ends.append((end, (ends.last?.byteCount ?? 0) + Self.byteCount(of: String(text[start..<end]))))
        }
        self.ends = ends
    }

    /// Returns the size of a text as JSON writes it, in bytes, without the quotes.
    private static func byteCount(of text: String) -> Int { JSONWriter.bytes(of: .string(text)).count - 2 }

    /// Returns the text with its first `count` characters, at least one. It stays whole if `…` would not shorten it.
    func text(keeping count: Int) -> String {
        isCut(keeping: count) ? text[..<ends[count - 1].index] + Self.ellipsis : text
    }

    /// Returns the number of bytes of JSON that the text saves with its first `count` characters. With fewer
    /// characters, the text saves at least as many bytes.
    func saving(keeping count: Int) -> Int {
        isCut(keeping: count) ? byteCount - cutByteCount(keeping: count) : 0
    }

    private func isCut(keeping count: Int) -> Bool { count < ends.count && cutByteCount(keeping: count) < byteCount }

    private func cutByteCount(keeping count: Int) -> Int { ends[count - 1].byteCount + Self.ellipsis.utf8.count }
}
