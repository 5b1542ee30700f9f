package import Foundation

/// A command line that runs a program until this process ends.
///
/// Tests use it for all programs that do not end by themselves. Such a program would outlive a test process that is
/// killed or traps. It would keep the output open, and `swift test` waits for the end of the output. The command runs
/// `end-with-parent`, which becomes the program and starts a guard process next to it.
package struct ParentBoundCommand {
    package let path = BuiltProducts.path(of: "end-with-parent")
    package let arguments: [String]

    /// - Parameter program: The absolute path of an executable file.
    /// - Parameter output: A file for both output streams of the program; `nil` leaves the streams as the caller sets
    ///   them.
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

    /// The command in the syntax of a shell. No argument may contain a single quote.
    package var shellWords: String { ([path] + arguments).map { "'\($0)'" }.joined(separator: " ") }
}
