import Foundation

/// The programs of `examples/` that read the container of an app group with SQLite and file access only.
package enum ExampleReader: String {
    case files = "read_container.py"
    case list = "list_messages.py"
    case message = "show_message.py"

    /// Runs the program on the directory of an app group.
    ///
    /// - Returns: The exit status, and the cells of each line that the program prints.
    package func run(_ directory: String, _ arguments: String...) throws -> (status: Int32, lines: [[String]]) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "\(Fixtures.project)/examples/\(rawValue)")
        process.arguments = [directory] + arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        return (process.terminationStatus, lines)
    }
}
