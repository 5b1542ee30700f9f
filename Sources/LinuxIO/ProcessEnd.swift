import Glibc

/// The end of a process: its status, its signal, or a forbidden call.
package enum ProcessEnd: Sendable, Hashable, CustomStringConvertible {
    case exited(status: Int32)
    case signalled(Int32)
    /// The process tried to make a system call that its sandbox forbids. The name is `nil` if its report was lost.
    case violated(call: String?)

    /// The name of the signal, the status or the call: `SIGXCPU`, `status 3`, `the forbidden call openat`.
    package var description: String {
        switch self {
        case .exited(let status): "status \(status)"
        case .signalled(let signal): Self.names[signal] ?? "signal \(signal)"
        case .violated(let call): "the forbidden call \(call ?? "of an unknown name")"
        }
    }

    /// Whether a fault of the program itself has ended the process. The same input is likely to cause the fault again.
    package var isFault: Bool {
        switch self {
        case .exited: false
        case .signalled(let signal): Self.faults.contains(signal)
        case .violated: true
        }
    }

    /// Whether the process tried to make a forbidden call.
    package var isViolation: Bool { if case .violated = self { true } else { false } }

    /// The signals of a fault. SIGXCPU is one of them, because a worker is allowed more processor time than its job
    /// has.
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ]

    private static let names = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
        SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
        SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
}
