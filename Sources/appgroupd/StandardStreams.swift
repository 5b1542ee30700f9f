import Glibc
import LinuxIO

/// Results go to standard output, everything else to standard error.
enum StandardStreams {
    /// Writes a line, or ends the program: results that nobody takes are lost work.
    static func output(_ line: String) { write(line, to: STDOUT_FILENO, orExit: true) }

    static func error(_ line: String) { write(line, to: STDERR_FILENO, orExit: false) }

    private static func write(_ line: String, to descriptor: Int32, orExit: Bool) {
        do throws(SystemError) {
            try FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
        } catch  where orExit {
            exit(ExitStatus.failed.rawValue)
        } catch {
            return
        }
    }
}
