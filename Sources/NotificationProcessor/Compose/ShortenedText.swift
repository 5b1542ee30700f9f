import JSON
import NotificationModel

/// A text of a payload that can do with fewer characters: so many of its first ones, and `…`.
///
/// A character is what people see as one, a grapheme cluster of Unicode (UAX #29): a flag, a letter with its accents and
/// an emoji with its variation selector stay whole or go whole.
struct ShortenedText {
    private static let ellipsis = "…"

    let place: JSONPath
    private let text: String
    /// Of the whole text.
    private let byteCount: Int
    /// Behind the first character, the second one …, and the bytes up to there.
    private let ends: [(index: String.Index, byteCount: Int)]

    /// - Parameter limit: bytes of the whole payload; so many characters of one text are never kept.
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

    /// As JSON writes it, without the quotes.
    private static func byteCount(of text: String) -> Int { JSONWriter.bytes(of: .string(text)).count - 2 }

    /// The text with so many of its characters, at least one. It stays whole where `…` would take what is won.
    func text(keeping count: Int) -> String {
        isCut(keeping: count) ? text[..<ends[count - 1].index] + Self.ellipsis : text
    }

    /// How many bytes of JSON it is shorter with so many of its characters: none less for fewer of them.
    func saving(keeping count: Int) -> Int {
        isCut(keeping: count) ? byteCount - cutByteCount(keeping: count) : 0
    }

    private func isCut(keeping count: Int) -> Bool {
        count < ends.count && cutByteCount(keeping: count) < byteCount
    }

    private func cutByteCount(keeping count: Int) -> Int { ends[count - 1].byteCount + Self.ellipsis.utf8.count }
}
