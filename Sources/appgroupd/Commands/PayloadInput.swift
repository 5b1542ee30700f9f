import JSON

/// Where a payload was read.
struct PayloadInput: Sendable, CustomStringConvertible {
    /// As the command line names it.
    var file: String
    /// Where the object begins, from 1.
    var line: Int

    var description: String { "\(file):\(line)" }

    var json: JSONValue { ["file": .string(file), "line": .number(JSONNumber(line))] }
}
