import JSON
import NotificationModel

/// A writer that puts the texts of the processed content into the members of a payload in which receivers read them.
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
