import ArgumentParser
import Glibc
import LinuxIO
import NotificationModel

/// The process: its signals, its limits, its exit status.
@main
enum Program {
    static func main() async {
        // What is made is not for the world to read. libcurl leaves SIGPIPE to the program.
        umask(umask(0o027) | 0o027)
        FileSystem.fillStandardStreams()
        // libcurl turns host names beyond ASCII into what DNS knows, in the locale's encoding.
        setlocale(LC_CTYPE, "C.UTF-8")
        signal(SIGPIPE, SIG_IGN)
        // Without these it serves fewer at a time, or more slowly.
        try? ResourceLimits.raiseOpenFiles()
        try? ResourceLimits.widenDescriptorTable()
        do {
            var command = try Appgroupd.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(Self.tell(error).rawValue)
        }
    }

    /// Says what went wrong in one line, or prints the help that was asked for.
    private static func tell(_ error: any Error) -> ExitStatus {
        if let failure = error as? CommandFailure {
            if let message = failure.message { StandardStreams.error("appgroupd: \(message)") }
            return failure.status
        }
        let message = Appgroupd.fullMessage(for: error)
        guard Appgroupd.exitCode(for: error) != .success else {
            StandardStreams.output(message)
            return .done
        }
        StandardStreams.error("appgroupd: \(Self.unknownCommand ?? Appgroupd.message(for: error).oneLine)")
        return Appgroupd.exitCode(for: error) == .validationFailure ? .usage : .failed
    }
}

extension Program {
    /// A sentence about a first word that is no command, `nil` where it is one.
    private static var unknownCommand: String? {
        let known = Appgroupd.commandNames
        guard let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !known.contains(word) else {
            return nil
        }
        guard let nearest = NearestWord.nearest(to: word, among: known) else {
            return "'\(word)' is no command; the commands are: \(known.joined(separator: ", "))"
        }
        return "'\(word)' is no command; did you mean '\(nearest)'?"
    }
}

/// What scripts can count on.
enum ExitStatus: Int32 {
    case done = 0
    /// The work failed.
    case failed = 1
    /// Wrong usage or configuration.
    case usage = 2
    /// `--require` was not met.
    case requirementNotMet = 3
}

/// Ends a command with a status, and with a sentence unless all has been said.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}

extension String {
    fileprivate var oneLine: String {
        split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
    }
}

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
