import Base
import ServiceConfiguration
import Yams

/// The parser of a scenario's text: YAML with mappings, lists and texts, each with its place. Anchors and aliases are
/// refused, because a few lines of them can stand for gigabytes.
enum ScenarioText {
    /// The largest depth. A payload in a scenario may be as deep as most payloads are.
    private static let deepest = 32
    /// The size of the largest file, in bytes.
    static let limit = 1 << 20

    /// - Parameter variables: The values of `{{name}}`.
    static func parse(
        _ text: String, variables: [String: String], problems: ProblemList
    ) -> ScenarioNode? {
        let text = text.withoutByteOrderMark
        if let line = YAMLAnchors.firstLine(in: text) {
            problems.add(TextMark(line: line, column: 1), YAMLAnchors.problem)
            return nil
        }
        do {
            let parser = try Parser(yaml: text, encoding: .utf8)
            guard let root = try parser.nextRoot() else {
                problems.add(
                    TextMark(line: 1, column: 1), "the file is empty: `appgroupd lab new PAYLOAD` writes a scenario")
                return nil
            }
            if let second = try parser.nextRoot() {
                problems.add(mark(of: second), "a second document begins here: write it into a file of its own")
                return nil
            }
            return convert(root, depth: 0, variables, problems)
        } catch {
            let found = YAMLProblem.describe(error, in: text)
            problems.add(TextMark(line: found.line, column: found.column), found.text)
            return nil
        }
    }

    private static func mark(of node: Node) -> TextMark {
        TextMark(line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func convert(
        _ node: Node, depth: Int, _ variables: [String: String], _ problems: ProblemList
    ) -> ScenarioNode {
        let mark = mark(of: node)
        guard depth <= deepest else {
            problems.add(mark, YAMLProblem.tooDeep)
            return ScenarioNode(content: .nothing, mark: mark)
        }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain
            if isPlain, ["", "~", "null", "Null", "NULL"].contains(scalar.string) {
                return ScenarioNode(content: .nothing, mark: mark)
            }
            let text = replaced(scalar.string, variables, at: mark, problems)
            return ScenarioNode(content: .text(text, isPlain: isPlain), mark: mark)
        case .sequence(let nodes):
            return ScenarioNode(
                content: .list(nodes.map { convert($0, depth: depth + 1, variables, problems) }), mark: mark)
        case .mapping(let pairs):
            let members = pairs.compactMap { key, value -> ScenarioNode.Member? in
                guard case .scalar(let name) = key else {
                    problems.add(Self.mark(of: key), "a key must be one word, not a list or mapping")
                    return nil
                }
                return ScenarioNode.Member(
                    name: Placed(
                        value: replaced(name.string, variables, at: Self.mark(of: key), problems),
                        mark: Self.mark(of: key)),
                    value: convert(value, depth: depth + 1, variables, problems))
            }
            return ScenarioNode(content: .map(members), mark: mark)
        case .alias: return ScenarioNode(content: .nothing, mark: mark)
        }
    }

    /// Returns a text with the values of its variables.
    private static func replaced(
        _ text: String, _ variables: [String: String], at mark: TextMark, _ problems: ProblemList
    ) -> String {
        guard text.contains("{{") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{{"), let close = rest[open.upperBound...].firstRange(of: "}}") {
            let name = rest[open.upperBound..<close.lowerBound].filter { $0 != " " }
            result += rest[..<open.lowerBound]
            if let value = variables[name] {
                result += value
            } else {
                problems.add(
                    mark, "{{\(name)}} has no value: pass --variables \(name)=VALUE, or --secret \(name)=VALUE")
            }
            rest = rest[close.upperBound...]
        }
        return result + rest
    }
}
