import Glibc
import LinuxIO
import Telemetry

/// The standard streams. Results of commands go to standard output, and everything else goes to standard error.
///
/// Names of files, hosts and senders may contain control characters. A terminal gets their escapes, so that a name cannot
/// move its cursor, and a pipe or a file gets the characters.
package enum StandardStreams {
    /// Whether standard output is a terminal.
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal on standard output; 80 without a terminal, or if the terminal does not report them.
    package static var columns: Int { columns(of: STDOUT_FILENO) ?? 80 }

    /// The columns of the terminal on standard output; `nil` if standard output is not a terminal.
    package static var terminalColumns: Int? { isTerminal ? columns : nil }

    /// Returns the columns of the terminal on a descriptor; `nil` without a terminal that reports them.
    package static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether standard output is a terminal that shows colors.
    package static var isColored: Bool { LogLayout(.text, on: STDOUT_FILENO) == .text(colors: true) }

    /// Writes a line of a result. If this fails, the result is lost, and the program ends with status 1.
    package static func output(_ line: String) {
        let line = isTerminal ? LogText.onTerminal(line) : line
        do throws(SystemError) { try FileSystem.write(Array((line + "\n").utf8)[...], to: STDOUT_FILENO) } catch {
            // A reader such as `head` may close the pipe early, and this is not an error.
            if error.errno != EPIPE { warn("standard output cannot be written: \(error.reason)") }
            exit(ExitStatus.failed.rawValue)
        }
    }

    package static func error(_ line: String) {
        errorText((isatty(STDERR_FILENO) == 1 ? LogText.onTerminal(line) : line) + "\n")
    }

    /// Writes a message of the program to standard error, after the program's name.
    package static func warn(_ message: String) { error("appgroupd: \(message)") }

    /// Writes a text to standard error without a line feed at its end, and without escapes.
    package static func errorText(_ text: String) { try? FileSystem.write(Array(text.utf8)[...], to: STDERR_FILENO) }
}
