package import ArgumentParser
import Glibc
import LinuxIO

/// The run of a program with commands. It prepares the process, runs one command, and ends with its exit status.
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
