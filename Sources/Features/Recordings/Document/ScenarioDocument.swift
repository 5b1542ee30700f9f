import Base

/// A value in the text of a scenario.
package indirect enum ScenarioValue: Sendable, Equatable {
    case text(String)
    case list([ScenarioValue])
    case map([ScenarioMember])
    /// A key without a value.
    case nothing

    package static func mapping(_ members: (String, ScenarioValue)...) -> ScenarioValue {
        .map(members.map { ScenarioMember($0.0, $0.1) })
    }

    /// The value in one line of YAML.
    package var flow: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .list(let elements): "[\(elements.map(\.flow).joined(separator: ", "))]"
        case .map(let members):
            "{\(members.map { "\(Self.quoted($0.key)): \($0.value.flow)" }.joined(separator: ", "))}"
        case .nothing: "~"
        }
    }

    /// Returns a text in the quotes of JSON, which YAML understands as well. A plain word, number or path needs no
    /// quotes.
    package static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.first.map { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "/") } ?? false
            && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_./".utf8.contains($0) }
            && !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
        return isPlain ? text : JSONWriter.text(of: .string(text))
    }
}

/// A key of a mapping in a scenario, with its value.
package struct ScenarioMember: Sendable, Equatable {
    package var key: String
    package var value: ScenarioValue
    /// A remark for the reader of the file; `nil` for none.
    package var remark: String?

    package init(_ key: String, _ value: ScenarioValue, remark: String? = nil) {
        self.key = key
        self.value = value
        self.remark = remark
    }
}

/// The text of a scenario, as `lab new` and the daemon's recordings write it.
///
/// **Input.** Keys with their values, in the order in which a person reads them. **Output.** YAML that `lab run` reads:
/// a key in each line, and the members of mappings such as `origin` below it, each in one line.
package struct ScenarioDocument: Sendable, Equatable {
    package var members: [ScenarioMember] = []

    package init() {}

    package mutating func add(_ key: String, _ value: ScenarioValue) { members.append(ScenarioMember(key, value)) }

    /// Adds a text. An absent text adds nothing.
    package mutating func add(_ key: String, _ text: String?) {
        if let text { add(key, .text(text)) }
    }

    package var text: String {
        var lines: [String] = []
        for member in members {
            let key = ScenarioValue.quoted(member.key)
            guard case .map(let inner) = member.value, !inner.isEmpty else {
                lines.append("\(key): \(member.value.flow)" + Self.remark(of: member))
                continue
            }
            lines.append("\(key):" + Self.remark(of: member))
            for member in inner {
                lines.append("  \(ScenarioValue.quoted(member.key)): \(member.value.flow)" + Self.remark(of: member))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func remark(of member: ScenarioMember) -> String { member.remark.map { "  # \($0)" } ?? "" }
}
