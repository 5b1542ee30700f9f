import ArgumentParser
import Glibc
import LinuxIO
import NotificationModel
import Telemetry

/// The entry point. It prepares the process, runs a command, and ends with the exit status of the command.
@main
enum Program {
    static func main() async {
        // Other users may not read the files that the program creates.
        umask(umask(0o027) | 0o027)
        FileSystem.fillStandardStreams()
        // libcurl converts internationalised host names to ASCII. It expects them in the encoding of the locale.
        setlocale(LC_CTYPE, "C.UTF-8")
        // A write to a connection that the peer has closed raises SIGPIPE, and libcurl does not handle this signal.
        signal(SIGPIPE, SIG_IGN)
        // The errors of these calls are ignored. The daemon would only serve fewer requests at a time, or serve them
        // more slowly.
        try? ResourceLimits.raiseOpenFiles()
        try? ResourceLimits.widenDescriptorTable()
        let usage = UsageMessage(Array(CommandLine.arguments.dropFirst()))
        do {
            var command = try Appgroupd.parseAsRoot(usage.joined)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(Self.tell(error, usage).rawValue)
        }
    }

    /// Prints an error in one line, or the help that the user has requested.
    ///
    /// - Returns: The exit status of the program.
    private static func tell(_ error: any Error, _ usage: UsageMessage) -> ExitStatus {
        if let failure = error as? CommandFailure {
            if let message = failure.message { StandardStreams.error("appgroupd: \(message)") }
            return failure.status
        }
        let message = Appgroupd.fullMessage(for: error)
        guard Appgroupd.exitCode(for: error) != .success else {
            if let unknown = usage.unknownCommand {
                StandardStreams.error("appgroupd: \(unknown)")
                return .usage
            }
            StandardStreams.output(message)
            return .done
        }
        StandardStreams.error(
            "appgroupd: \(usage.unknownCommand ?? usage.completed(Appgroupd.message(for: error)))")
        return Appgroupd.exitCode(for: error) == .validationFailure ? .usage : .failed
    }
}

/// The exit statuses of the program. Scripts rely on them.
enum ExitStatus: Int32 {
    case done = 0
    /// The work has failed.
    case failed = 1
    /// A flag, an argument or the configuration is wrong.
    case usage = 2
    /// A result does not meet `--require`.
    case requirementNotMet = 3
    /// A signal has ended a batch before its end.
    case interrupted = 130
}

/// An error that ends a command with an exit status.
struct CommandFailure: Error {
    let status: ExitStatus
    /// The message for standard error. The value is `nil` if the command has reported the problem itself.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}

/// The standard streams. Results of commands go to standard output, and everything else goes to standard error.
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal on standard output. The value is 80 without a terminal, or if the terminal does not
    /// report its columns.
    static var columns: Int { columns(of: STDOUT_FILENO) ?? 80 }

    /// The columns of the terminal on standard output. The value is `nil` if standard output is not a terminal.
    static var terminalColumns: Int? { isTerminal ? columns : nil }

    /// Returns the columns of the terminal on a descriptor. Returns `nil` if the descriptor is not a terminal, or the
    /// terminal does not report its columns.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether standard output is a terminal that shows colors.
    static var isColored: Bool {
        LogLayout(.text, isTerminal: isTerminal) { name in getenv(name).map { String(cString: $0) } }
            == .text(colors: true)
    }

    /// Writes a line of a result. If this fails, the result is lost, and the program ends with status 1.
    static func output(_ line: String) { write(line, to: STDOUT_FILENO, orExit: true) }

    static func error(_ line: String) { write(line, to: STDERR_FILENO, orExit: false) }

    /// Writes a text to standard error without a line feed at its end.
    static func errorText(_ text: String) { try? FileSystem.write(Array(text.utf8)[...], to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32, orExit: Bool) {
        do throws(SystemError) {
            try FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
        } catch  where orExit {
            // A reader such as `head` may close the pipe early, and this is not an error.
            if error.errno != EPIPE { Self.error("appgroupd: standard output cannot be written: \(error.reason)") }
            exit(ExitStatus.failed.rawValue)
        } catch {
            return
        }
    }
}
