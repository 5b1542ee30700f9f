import Base

/// A value of a scenario's text with its place, before its type is known.
struct ScenarioNode {
    indirect enum Content {
        /// A key without a value, or with `~` or `null`.
        case nothing
        /// A text. Only a text without quotes may stand for a number or a truth value.
        case text(String, isPlain: Bool)
        case list([ScenarioNode])
        case map([Member])
    }

    struct Member {
        let name: Placed<String>
        let value: ScenarioNode
    }

    let content: Content
    let mark: TextMark

    var text: String? { if case .text(let text, _) = content { text } else { nil } }
    var members: [Member]? { if case .map(let members) = content { members } else { nil } }
    var isNothing: Bool { if case .nothing = content { true } else { false } }

    /// The description of the value in a message.
    var shown: String {
        switch content {
        case .nothing: "nothing"
        case .text(let text, _): JSONWriter.text(of: .string(text.count > 60 ? text.prefix(60) + "…" : text))
        case .list: "a list"
        case .map: "a mapping"
        }
    }

    /// The value as JSON, by the core schema of YAML 1.2: unquoted `true`, `false` and numbers are no texts.
    var json: JSONValue {
        switch content {
        case .nothing: return .null
        case .text(let text, let isPlain):
            guard isPlain else { return .string(text) }
            if text == "true" || text == "false" { return .bool(text == "true") }
            if case .number(let number)? = try? JSONParser.value(of: text) { return .number(number) }
            return .string(text)
        case .list(let elements): return .array(elements.map(\.json))
        case .map(let members):
            var object = JSONObject()
            for member in members { object.set(member.name.value, member.value.json) }
            return .object(object)
        }
    }

    subscript(key: String) -> ScenarioNode? { members?.first { $0.name.value == key }?.value }

    /// Returns the place of a part by its path of keys, such as `permissions.wifiOnly`; the deepest known part if the
    /// path leads further.
    func mark(of path: String) -> TextMark {
        var node = self
        for key in path.split(separator: ".") {
            guard let next = node[String(key)] else { break }
            node = next
        }
        return node.mark
    }
}
