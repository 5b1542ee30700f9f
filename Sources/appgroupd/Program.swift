import ArgumentParser
import Glibc
import LinuxIO
import NotificationModel
import Telemetry

/// The entry point: it prepares the process, runs a command, and ends with the exit status of the command.
@main
enum Program {
    static func main() async {
        // Other users may not read the files that the program creates.
        umask(umask(0o027) | 0o027)
        FileSystem.fillStandardStreams()
        // libcurl converts internationalised host names to ASCII, and reads them in the encoding of the locale.
        setlocale(LC_CTYPE, "C.UTF-8")
        // A write to a connection that the peer has closed raises SIGPIPE, which libcurl leaves to the program.
        signal(SIGPIPE, SIG_IGN)
        // If one of these fails, the daemon serves fewer requests at a time, or serves them more slowly.
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

    /// Prints an error in one line, or the help that was asked for.
    ///
    /// - Returns: the exit status of the program.
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
    /// The work failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// `--require` was not met.
    case requirementNotMet = 3
    /// A signal ended a batch before all of it was done.
    case interrupted = 130
}

/// An error that ends a command with an exit status.
struct CommandFailure: Error {
    let status: ExitStatus
    /// Printed to standard error; `nil` if the command has reported the problem itself.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}

/// The standard streams: results of commands go to standard output, everything else to standard error.
enum StandardStreams {
    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Columns of the terminal on standard output; 80 if it is none, or does not say.
    static var columns: Int { columns(of: STDOUT_FILENO) ?? 80 }

    /// Columns of the terminal on standard output; `nil` if it is none.
    static var terminalColumns: Int? { isTerminal ? columns : nil }

    /// Columns of the terminal on a descriptor; `nil` if it is none, or does not say.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether standard output is a terminal that shows colours.
    static var isColored: Bool {
        LogLayout(.text, isTerminal: isTerminal) { name in getenv(name).map { String(cString: $0) } }
            == .text(colours: true)
    }

    /// Writes a line of a result. If it cannot be written, the program ends with status 1, as the result is lost.
    static func output(_ line: String) { write(line, to: STDOUT_FILENO, orExit: true) }

    static func error(_ line: String) { write(line, to: STDERR_FILENO, orExit: false) }

    /// Writes to standard error as it stands, without the end of a line.
    static func errorText(_ text: String) { try? FileSystem.write(Array(text.utf8)[...], to: STDERR_FILENO) }

    private static func write(_ line: String, to descriptor: Int32, orExit: Bool) {
        do throws(SystemError) {
            try FileSystem.write(Array((line + "\n").utf8)[...], to: descriptor)
        } catch  where orExit {
            // A reader that has enough, as `head`, is no reason to complain.
            if error.errno != EPIPE { Self.error("appgroupd: standard output cannot be written: \(error.reason)") }
            exit(ExitStatus.failed.rawValue)
        } catch {
            return
        }
    }
}
