/// What is wrong with a key path or a rule that was written by hand, and where.
package struct KeyPathError: Error, Sendable, Equatable, CustomStringConvertible {
    package let text: String
    /// In Unicode scalars, the first one is 1; one more than the text has where something is missing at its end.
    package let position: Int
    package let problem: String

    package init(text: String, position: Int, problem: String) {
        self.text = text
        self.position = position
        self.problem = problem
    }

    package var description: String { "\"\(text)\", character \(position): \(problem)" }
}
