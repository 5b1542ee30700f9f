import CLinuxShims
import Glibc

/// A child process. The child is killed and reaped when its owner releases this value.
package struct ChildProcess: ~Copyable, Sendable {
    package let pid: Int32
    /// A descriptor that becomes readable when the child has ended.
    package let exitDescriptor: OwnedDescriptor

    private init(pid: Int32, exitDescriptor: consuming OwnedDescriptor) {
        self.pid = pid
        self.exitDescriptor = exitDescriptor
    }

    /// Starts an executable. Its environment is only `environment`, its standard streams are `/dev/null`, and its
    /// descriptor 3 is `inherited`. The child gets no other descriptor of this process.
    package static func spawn(
        _ path: String, arguments: [String] = [], environment: [String] = [], inheriting inherited: Int32
    ) throws(SystemError) -> ChildProcess {
        var pid: pid_t = 0
        let error = unsafe withCStrings([path] + arguments) { arguments in
            unsafe withCStrings(environment) { environment in
                unsafe agd_spawn(&pid, path, arguments, environment, inherited)
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

    /// Allows the child this amount of processor time from now on. After this time, the kernel sends SIGXCPU, which
    /// ends the child.
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
