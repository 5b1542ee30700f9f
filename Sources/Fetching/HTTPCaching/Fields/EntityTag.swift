import HTTPTypes

/// An entity tag (RFC 9110 §8.8.3).
///
/// A tag without quotes is invalid, yet some servers send such tags and recognize them in later requests. Such a tag is
/// therefore kept without a change. It counts as weak, so that no bodies are combined because of it.
struct EntityTag: Sendable, Equatable {
    /// The tag as it was sent.
    var text: String
    /// The tag with its quotes, without the prefix `W/`.
    var opaque: String
    var isWeak: Bool

    init?(_ text: String) {
        // U+FFFD stands for a byte that is not valid UTF-8. Such a tag cannot be sent back to the origin.
        guard !text.isEmpty, !text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        self.text = text
        let isMarked = text.hasPrefix("W/")
        opaque = isMarked ? String(text.dropFirst(2)) : text
        isWeak = isMarked || !Self.isQuoted(opaque)
        guard Self.isQuoted(opaque) || !text.contains(where: { $0 == "," || $0 == " " || $0 == "*" }) else {
            return nil
        }
    }

    /// Parses the tag of a response.
    init?(_ fields: HTTPFields) {
        guard let text = fields[values: .eTag].first else { return nil }
        self.init(text)
    }

    /// Returns the tags of `If-None-Match`. The value `*` is not a tag.
    static func list(_ lines: [String]) -> [EntityTag] {
        ListField.elements(lines, hasEscapes: false).compactMap { EntityTag($0) }
    }

    /// Returns whether both tags are strong and equal (RFC 9110 §8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    private static func isQuoted(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 2 && bytes.first == UInt8(ascii: "\"") && bytes.last == UInt8(ascii: "\"")
            && !bytes.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    }
}
