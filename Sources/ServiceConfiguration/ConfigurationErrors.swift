/// All that is wrong with a configuration, each in one line: where, what, how to mend it.
package struct ConfigurationErrors: Error, Sendable, Equatable, CustomStringConvertible {
    /// Never empty. The file's come first, from top to bottom; then the environment's and the flags'.
    package let lines: [String]

    init(_ lines: [String]) { self.lines = lines }

    package var description: String { lines.joined(separator: "\n") }
}
