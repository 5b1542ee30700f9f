import Glibc

/// How a process has ended.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
    case exited(status: Int32)
    case signalled(Int32)

    /// The signal's name or the status: `SIGXCPU`, `status 3`.
    package var description: String {
        switch self {
        case .exited(let status): "status \(status)"
        case .signalled(let signal): Self.names[signal] ?? "signal \(signal)"
        }
    }

    /// Whether a fault of the program itself has ended it, which the same input is likely to cause again.
    package var isFault: Bool {
        guard case .signalled(let signal) = self else { return false }
        return [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGSYS].contains(signal)
    }

    private static let names = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
        SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
        SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
}
