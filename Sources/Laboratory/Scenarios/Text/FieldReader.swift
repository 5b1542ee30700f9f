import Base
import NotificationModel

/// A reader of one mapping. It takes the values of known keys, and reports each key that no call has asked for.
final class FieldReader {
    /// The name of the mapping in messages, such as `a scenario`.
    let subject: String
    let node: ScenarioNode
    let problems: ProblemList
    private let values: [String: ScenarioNode]
    private let names: [Placed<String>]
    private var known: [String] = []

    /// Creates a reader. A node that is no mapping is reported, and reads as an empty one.
    init(_ node: ScenarioNode, _ subject: String, example: String, _ problems: ProblemList) {
        self.subject = subject
        self.node = node
        self.problems = problems
        let members = node.members ?? []
        if node.members == nil, !node.isNothing {
            problems.add(node.mark, "\(subject) is \(node.shown): it must be a mapping, such as \(example)")
        }
        values = Dictionary(members.map { ($0.name.value, $0.value) }) { first, _ in first }
        names = members.map(\.name)
    }

    /// Returns the value of a key, also if it is empty.
    func node(_ key: String) -> ScenarioNode? {
        if !known.contains(key) { known.append(key) }
        return values[key]
    }

    /// Returns the place of a key of an envelope, which is in the mapping itself or in `envelope`; `nil` if it is in
    /// neither.
    func mark(of path: String) -> TextMark? {
        let key = String(path.prefix { $0 != "." })
        if values[key] != nil { return node.mark(of: path) }
        return values["envelope"]?[key].map { _ in values["envelope"]?.mark(of: path) } ?? nil
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// Returns the parsed text of a key; `nil` if the key is absent or its value is reported.
    ///
    /// - Parameter expected: The permitted values in words, such as `a duration, such as 2s`.
    func value<Value>(
        _ key: String, _ expected: String, _ parse: (String) -> Value?
    ) -> Placed<Value>? {
        guard let node = node(key) else { return nil }
        guard let text = node.text else {
            problems.add(node.mark, "\(key) is \(node.shown): it must be \(expected)")
            return nil
        }
        guard let value = parse(text) else {
            problems.add(node.mark, "\(key) is \(node.shown): it must be \(expected)")
            return nil
        }
        return Placed(value: value, mark: node.mark)
    }

    /// Returns the choice of a key. A misspelt choice is reported with the nearest one.
    func choice<Value>(_ key: String, _ choices: [(String, Value)]) -> Placed<Value>? {
        guard let node = node(key) else { return nil }
        if let text = node.text, let choice = choices.first(where: { $0.0 == text }) {
            return Placed(value: choice.1, mark: node.mark)
        }
        let names = choices.map(\.0)
        let near = node.text.flatMap { NearestWord.related(to: $0, among: names) }
        problems.add(
            node.mark,
            "\(key) is \(node.shown): "
                + (near.map { "did you mean \($0)?" } ?? "it must be one of: \(names.joined(separator: ", "))"))
        return nil
    }

    func duration(_ key: String) -> Placed<Duration>? {
        value(key, "a duration, such as 500ms, 2s or 1m", DurationText.parse)
    }

    func truth(_ key: String) -> Placed<Bool>? { value(key, "true or false") { Self.truths[$0] } }

    private static let truths = ["true": true, "false": false]

    /// Reports all keys that no call has asked for.
    func finish() {
        for name in names where !known.contains(name.value) {
            let shown = ScenarioNode(content: .text(name.value, isPlain: true), mark: name.mark).shown
            let near = KeyGuess.nearest(to: name.value, among: known)
            let remedy = near.map { "did you mean \($0)?" } ?? "its keys are: \(known.joined(separator: ", "))"
            problems.add(name.mark, "\(shown) is not a key of \(subject); \(remedy)")
        }
    }
}
