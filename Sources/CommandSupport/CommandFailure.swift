package import ArgumentParser

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
