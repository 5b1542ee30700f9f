package import ArgumentParser
import Glibc
import LinuxIO

/// The run of a program with commands. It prepares the process, runs one command, and ends with its exit status.
///
/// To add a new option of `lab`, do this: write its property with a help text in the command below `Lab/`, or in
/// ``ScenarioPlayOptions`` for the commands that play scenarios. The code that uses the option is `perform` of the same
/// command in `Sources/Laboratory/appgroupd-lab`. The options of all other commands are in the targets of these
/// commands, and in `FeatureKit/Commands`.
package enum CommandRunner {
    /// Parses the arguments of the process with the command line of the program, and runs the command.
    package static func main(
        _ root: any ParsableCommand.Type,
        perform: (sending any ParsableCommand) async throws -> Void = CommandRunner.perform
    ) async {
        // Other users may not read the files that the program creates.
        umask(umask(0o027) | 0o027)
        FileSystem.fillStandardStreams()
        // libcurl converts internationalised host names to ASCII. It expects them in the encoding of the locale.
        setlocale(LC_CTYPE, "C.UTF-8")
        // A write to a connection that the peer has closed raises SIGPIPE, and libcurl does not handle this signal.
        signal(SIGPIPE, SIG_IGN)
        // The errors of these calls are ignored: the daemon would only serve fewer requests at a time, or more slowly.
        try? ResourceLimits.raiseOpenFiles()
        try? ResourceLimits.widenDescriptorTable()
        let usage = UsageMessage(words: Array(CommandLine.arguments.dropFirst()), root: root)
        do { try await perform(try root.parseAsRoot(usage.joined)) } catch {
            exit(report(error, root, usage).rawValue)
        }
    }

    /// Calls `run` of a command.
    package static func perform(_ command: sending any ParsableCommand) async throws {
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            var command = command
            try command.run()
        }
    }

    /// Prints an error in one line, or the help that the user has requested. Returns the exit status of the program.
    private static func report(
        _ error: any Error, _ root: any ParsableCommand.Type, _ usage: UsageMessage
    ) -> ExitStatus {
        if let failure = error as? CommandFailure {
            if let message = failure.message { StandardStreams.warn(message) }
            return failure.status
        }
        let code = root.exitCode(for: error)
        if code == .success, usage.unknownCommand == nil {
            StandardStreams.output(root.fullMessage(for: error))
            return .done
        }
        StandardStreams.warn(usage.unknownCommand ?? usage.completed(root.message(for: error)))
        return code == .validationFailure || code == .success ? .usage : .failed
    }
}

/// The exit statuses of the program. Scripts rely on them.
package enum ExitStatus: Int32 {
    case done = 0
    /// The work has failed.
    case failed = 1
    /// A flag, an argument or the configuration is wrong.
    case usage = 2
    /// A result does not meet `--require`.
    case requirementNotMet = 3
    /// The laboratory itself has failed. Only `lab run` has this status, and it has no `--require`.
    package static let laboratoryFailed = requirementNotMet
    /// A signal has ended a batch before its end.
    case interrupted = 130
}

/// An error that ends a command with an exit status.
package struct CommandFailure: Error {
    package let status: ExitStatus
    /// The message for standard error. The value is `nil` if the command has reported the problem itself.
    package let message: String?

    package init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }

    /// Calls a function. If it throws, the command ends with status 1, and with a message about the error.
    package static func wrapping<Value: ~Copyable>(
        _ problem: String, _ work: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(.failed, "\(problem): \(error)") }
    }
}

extension ValidationError {
    /// Returns the parsed value of a flag, or throws an error that names the permitted values.
    package static func required<Value>(_ value: Value?, _ expected: String) throws -> Value {
        guard let value else { throw ValidationError("it must be \(expected).") }
        return value
    }
}

/// The programs that are installed together. All of them are in the same directory.
package enum Installation {
    package static let version = "0.1.0"
    /// The version, and the commit from which the program was built.
    package static let description = "\(version) (\(Build.commit))"

    /// The name of the worker.
    package static let worker = "appgroupd-transcode"

    /// Returns the path of a program in the directory of the running program.
    ///
    /// - Throws: A failure with status 2 if the program is not installed.
    package static func path(of program: String) throws(CommandFailure) -> String {
        let own: String
        do throws(SystemError) { own = try FileSystem.currentExecutable() } catch {
            throw CommandFailure(.failed, "the program cannot find its own path: \(error): check that /proc is mounted")
        }
        let directory = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let path = "\(directory)/\(program)"
        guard FileSystem.isExecutable(path) else {
            throw CommandFailure(.usage, "\(path) is missing: install \(program) beside appgroupd")
        }
        return path
    }
}
