import CLinuxShims
import Glibc

/// A child process. The child is killed and reaped when its owner releases this value.
package struct ChildProcess: ~Copyable, Sendable {
    package let pid: Int32
    /// A descriptor that becomes readable when the child has ended.
    package let exitDescriptor: OwnedDescriptor

    /// Starts an executable. Its environment is only `environment`, its standard streams are `/dev/null`, and its
    /// descriptor 3 is `inherited`. The child gets no other descriptor of this process.
    ///
    /// - Parameter program: The open file of the executable; `nil` if the path is opened.
    package static func spawn(
        _ path: String, from program: ProgramFile? = nil, arguments: [String] = [],
        environment: [String] = [], inheriting inherited: Int32
    ) throws(SystemError) -> ChildProcess {
        var pid: pid_t = 0
        let file = program?.descriptor.raw
        let error = unsafe withCStrings([path] + arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                if let file {
                    let error = unsafe agd_spawn_open(&pid, file, arguments, environment, inherited)
                    // Linux before 5.11, and filters of system calls that do not know close_range.
                    guard [EINVAL, ENOSYS, EPERM].contains(error) else { return error }
                }
                return unsafe agd_spawn(&pid, path, arguments, environment, inherited)
            }
        }
        guard error == 0 else { throw SystemError("posix_spawn \(path)", errno: error) }
        let exit = agd_pidfd_open(pid)
        guard exit >= 0 else {
            let error = SystemError.last("pidfd_open")
            // The child is not reaped yet, so no other process can have its number.
            _ = Glibc.kill(pid, SIGKILL)
            var status: Int32 = 0
            while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
            throw error
        }
        return ChildProcess(pid: pid, exitDescriptor: OwnedDescriptor(adopting: exit))
    }

    /// Allows the child this amount of processor time from now on. Then the kernel ends it with SIGXCPU.
    package borrowing func allowProcessorTime(_ time: Duration) { ProcessorTimeLimit.allow(time, to: pid) }

    /// Returns the end of the child; `nil` while the child runs.
    package borrowing func end() -> ProcessEnd? {
        var isSignal: Int32 = 0
        var number: Int32 = 0
        guard unsafe agd_pidfd_end(exitDescriptor.raw, &isSignal, &number) == 0 else { return nil }
        return isSignal == 0 ? .exited(status: number) : .signalled(number)
    }

    /// Asks the kernel to end the child. `exitDescriptor` becomes readable when the child has ended.
    package borrowing func kill() { _ = agd_pidfd_kill(exitDescriptor.raw) }

    /// Kills and reaps the child. A killed child ends within a millisecond, so the wait is short.
    deinit {
        _ = agd_pidfd_kill(exitDescriptor.raw)
        _ = agd_pidfd_reap(exitDescriptor.raw)
    }
}

/// Calls `body` with a null-terminated array of C strings.
func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe body(&copies)
}

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

    /// The signals of a fault, with SIGXCPU, because a worker is allowed more processor time than its job has.
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ]

    private static let names = [
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
        SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
        SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
    ]
}

/// The program that the calling process runs.
package enum ProcessImage {
    /// Replaces the program of the calling process (execve(2)), and returns the error of the call if it fails. The
    /// process keeps its number, its environment, its working directory, and the descriptors without close-on-exec. The
    /// first argument is the name of the new program.
    ///
    /// The threads of libdispatch block all signals, and the new program would inherit this from the calling thread.
    /// Therefore, this function unblocks all signals.
    package static func replace(with executable: String, arguments: [String]) -> SystemError {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        _ = unsafe withCStrings(arguments) { unsafe execv(executable, $0) }
        return .last("execv \(executable)")
    }
}
