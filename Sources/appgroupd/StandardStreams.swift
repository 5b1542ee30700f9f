import Glibc
import LinuxIO

/// Results go to standard output, everything else to standard error.
enum StandardStreams {
    /// Writes a line. When the reader is gone there is nobody to tell, and nothing left to do.
    static func output(_ line: String) { write(line, to: STDOUT_FILENO, orExit: true) }

    static func error(_ line: String) { write(line, to: STDERR_FILENO, orExit: false) }

    private static func write(_ line: String, to descriptor: Int32, orExit: Bool) {
        do {
            try FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
        } catch  where orExit {
            exit(ExitStatus.failed.rawValue)
        } catch {
            return
        }
    }
}
