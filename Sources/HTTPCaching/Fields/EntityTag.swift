import HTTPTypes

/// An entity tag (RFC 9110 §8.8.3).
///
/// One without quotes is no entity tag, yet there are servers that send it and know it again: it is kept as it is, and
/// is weak, so that nothing is put together on the strength of it.
struct EntityTag: Sendable, Equatable {
    /// As it was sent.
    var text: String
    /// With its quotes, without the weakness.
    var opaque: String
    var isWeak: Bool

    init?(_ text: String) {
        // A byte that is no UTF-8 comes as U+FFFD: it could not be sent back.
        guard !text.isEmpty, !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
        let isMarked = text.hasPrefix("W/")
        opaque = isMarked ? String(text.dropFirst(2)) : text
        isWeak = isMarked || !Self.isQuoted(opaque)
        guard Self.isQuoted(opaque) || !text.contains(where: { $0 == "," || $0 == " " || $0 == "*" }) else {
            return nil
        }
    }

    /// The tag of a response.
    init?(_ fields: HTTPFields) {
        guard let text = fields[values: .eTag].first else { return nil }
        self.init(text)
    }

    /// The tags of `If-None-Match`; `*` is none.
    static func list(_ lines: [String]) -> [EntityTag] {
        ListField.elements(lines, hasEscapes: false).compactMap { EntityTag($0) }
    }

    /// RFC 9110 §8.8.3.2.
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    private static func isQuoted(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 2 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
            && !bytes.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    }
}
