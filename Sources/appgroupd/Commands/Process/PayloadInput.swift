import JSON

/// The file and the line from which a payload was read.
struct PayloadInput: Sendable, CustomStringConvertible {
    /// The name of the file on the command line.
    var file: String
    /// The line on which the object begins, from 1.
    var line: Int

    var description: String { "\(file):\(line)" }

    var json: JSONValue { ["file": .string(file), "line": .number(JSONNumber(line))] }
}
