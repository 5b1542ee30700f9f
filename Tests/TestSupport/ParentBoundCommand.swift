package import Foundation

/// A command line that runs a program for as long as this process lives, and no longer.
///
/// Tests start every program that does not end by itself with one of these. Such a program would outlive a test process
/// that is killed or traps, and would hold its output open: `swift test` waits for the end of that output. The command
/// runs `end-with-parent`, which becomes the program and leaves a guard beside it.
package struct ParentBoundCommand {
    package let path = BuiltProducts.path(of: "end-with-parent")
    package let arguments: [String]

    /// - Parameters:
    ///   - program: the absolute path of an executable file.
    ///   - output: a file that receives what the program writes to both of its output streams; `nil` leaves the streams
    ///     as the caller sets them.
    package init(_ program: String, _ arguments: [String] = [], output: String? = nil) {
        self.arguments = ["\(getpid())", output ?? "-", program] + arguments
    }

    /// Returns a process that is not started yet.
    package func process() -> Process {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        return process
    }

    /// The command as words of a shell. No argument may contain a single quote.
    package var shellWords: String { ([path] + arguments).map { "'\($0)'" }.joined(separator: " ") }
}
