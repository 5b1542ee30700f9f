import Glibc
import LinuxIO

/// What a bench tells who started it. A stream that is closed is no reason to stop measuring.
package enum Console {
    /// A line on standard output.
    package static func say(_ line: String) { write(line, to: STDOUT_FILENO) }

    /// A line on standard error.
    package static func complain(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        try? FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
    }
}
