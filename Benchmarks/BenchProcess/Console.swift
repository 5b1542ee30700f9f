import Glibc
import LinuxIO

/// The output of a benchmark. If its stream is closed, the measurement continues.
package enum Console {
    /// Writes a line to standard output.
    package static func say(_ line: String) { write(line, to: STDOUT_FILENO) }

    /// Writes a line to standard error.
    package static func warn(_ line: String) { write(line, to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32) {
        try? FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
    }
}
