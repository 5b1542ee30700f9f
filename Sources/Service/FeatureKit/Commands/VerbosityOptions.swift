import ArgumentParser
import Synchronization

/// The amount of output that a command writes to standard error.
package enum Verbosity: Int {
    /// Only warnings and errors are written.
    case quiet
    /// Progress and summaries are written, too.
    case normal
    /// The settings that do not come from the defaults, and each completed item, are written, too.
    case verbose

    private static let index = Atomic(Verbosity.normal.rawValue)

    /// The verbosity of this process, which the validation of `VerbosityOptions` sets.
    package static var current: Verbosity {
        get { Verbosity(rawValue: index.load(ordering: .relaxed)) ?? .normal }
        set { index.store(newValue.rawValue, ordering: .relaxed) }
    }
}

/// The flags for the verbosity of a command. Their validation sets the verbosity of the process.
package struct VerbosityOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Write only warnings and errors to standard error. For serve: the same as --log-level warning.")
    package var quiet = false

    @Flag(name: .shortAndLong, help: "Write more messages to standard error. For serve: the same as --log-level debug.")
    package var verbose = false

    package init() {}

    package func validate() throws {
        guard !(quiet && verbose) else {
            throw ValidationError("--quiet and --verbose cannot be used together: leave one of them out.")
        }
        Verbosity.current = quiet ? .quiet : verbose ? .verbose : .normal
    }

    /// The level of the daemon's log; `nil` if the configuration sets the level.
    package var logLevel: String? { quiet ? "warning" : verbose ? "debug" : nil }
}

extension StandardStreams {
    /// Writes a line of progress or a summary to standard error, unless the command is quiet.
    package static func notice(_ line: String) {
        if Verbosity.current != .quiet { error(line) }
    }

    /// Writes a line to standard error if the command is verbose.
    package static func detail(_ line: @autoclosure () -> String) {
        if Verbosity.current == .verbose { warn(line()) }
    }
}

/// The format of a report.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}
