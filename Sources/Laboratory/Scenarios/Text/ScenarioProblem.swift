/// A position in a text, with its line and its column from 1. Columns count Unicode scalars, as libyaml does.
package struct TextMark: Sendable, Hashable, Comparable {
    package var line: Int
    package var column: Int

    package static func < (left: TextMark, right: TextMark) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A mistake in a scenario, with its place and a sentence that says how to mend it.
package struct ScenarioProblem: Sendable, Equatable {
    package var file: String
    package var mark: TextMark
    package var text: String

    package var description: String { "\(file):\(mark.line):\(mark.column) \(text)" }
}

/// All mistakes of a file, in the order of their places.
package struct ScenarioProblems: Error {
    package var all: [ScenarioProblem]
    /// The lines of the file, for the lines with carets.
    package var lines: [String]
}

/// A value with its place in the scenario.
package struct Placed<Value: Sendable>: Sendable {
    package var value: Value
    package var mark: TextMark

    func map<Other>(_ body: (Value) -> Other) -> Placed<Other> { Placed<Other>(value: body(value), mark: mark) }
}

/// The mistakes that a reader has found so far. Further mistakes after the first hundred are left out.
final class ProblemList {
    private static let most = 100
    private(set) var all: [(mark: TextMark, text: String)] = []

    func add(_ mark: TextMark, _ text: String) {
        if all.count < Self.most { all.append((mark, text)) }
    }
}
