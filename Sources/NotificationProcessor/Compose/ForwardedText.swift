import Base
import NotificationModel

/// A writer that puts the texts of the processed content into the members of a payload in which recipients read them.
///
/// A payload can have several objects with texts, such as Apple's alert and the notification for Android. Each such
/// object gets the title, the subtitle and the body, as far as its format has them. If the payload has no such object,
/// one is added, because no shown text may be lost.
struct ForwardedText {
    let text: NotificationText

    func placed(in payload: JSONObject, at places: [TextPlace]) -> JSONObject {
        guard !text.isEmpty else { return payload }
        let root = JSONNode(payload)
        let present = places.filter { $0.isPresent(in: root) }
        // Apple's alert is added only if the payload has `aps`, or no object for another format's texts.
        let added = places.first { root.node(at: $0.container).object != nil } ?? places.first
        let value = (present.isEmpty ? [added].compactMap(\.self) : present).reduce(JSONValue.object(payload)) {
            switch $1 {
            case .alert(let path): alert(at: path, in: $0)
            case .lines(let title, let subtitle, let body):
                lines([(title, text.title), (subtitle, text.subtitle), (body, text.body)], in: $0)
            }
        }
        return value.object ?? payload
    }

    /// Replaces the title, the subtitle and the body of the alert, and removes their localization keys.
    private func alert(at path: JSONPath, in value: JSONValue) -> JSONValue {
        var new = JSONObject()
        var replaced: Set<String> = ["title", "subtitle", "body"]
        for (line, name, said) in [
            ("title", "title-loc", text.title), ("subtitle", "subtitle-loc", text.subtitle), ("body", "loc", text.body),
        ] {
            guard let said else { continue }
            new.append(line, .string(said))
            for name in ["\(name)-key", "\(name)-args"] {
                // Braze writes Apple's localization keys with underscores.
                replaced.formUnion([name, String(name.map { $0 == "-" ? "_" : $0 })])
            }
        }
        for member in JSONNode(value).node(at: path).object?.members ?? [] where !replaced.contains(member.key) {
            new.append(member.key, member.value)
        }
        return setting(path, to: .object(new), in: value)
    }

    /// Sets the title, the subtitle and the body. Without a text, an existing member becomes empty, and none is added.
    private func lines(_ lines: [(path: JSONPath?, said: String?)], in value: JSONValue) -> JSONValue {
        lines.reduce(value) { value, line in
            guard let path = line.path else { return value }
            let stands = JSONNode(value).node(at: path).string != nil
            return stands || line.said != nil ? setting(path, to: .string(line.said ?? ""), in: value) : value
        }
    }

    /// Sets a member, and creates the objects around it if they are missing.
    private func setting(_ path: JSONPath, to new: JSONValue, in value: JSONValue) -> JSONValue {
        guard case .key(let key)? = path.steps.last else { return value.replacing(path, with: new) }
        let parent = JSONPath(path.steps.dropLast())
        let isThere = JSONNode(value).node(at: parent).exists
        let made = isThere ? value : setting(parent, to: .object(JSONObject()), in: value)
        return made.setting(key, to: new, at: parent)
    }
}

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
