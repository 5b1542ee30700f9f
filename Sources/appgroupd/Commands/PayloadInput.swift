import JSON

/// The place that a payload was read from.
struct PayloadInput: Sendable, CustomStringConvertible {
    /// As the command line names it.
    var file: String
    /// The line on which the object begins, from 1.
    var line: Int

    var description: String { "\(file):\(line)" }

    var json: JSONValue { ["file": .string(file), "line": .number(JSONNumber(line))] }
}
