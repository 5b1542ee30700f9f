import Glibc

/// The program that the calling process runs.
package enum ProcessImage {
    /// Replaces the program of the calling process (execve(2)). The process keeps its number, its environment, its
    /// working directory, and the descriptors without close-on-exec.
    ///
    /// The threads of libdispatch block all signals, and the new program would inherit this from the calling thread.
    /// Therefore, this function unblocks all signals.
    ///
    /// - Parameter arguments: The arguments of the new program, with its name as the first one.
    /// - Returns: The error of the system call. After a success, this function does not return.
    package static func replace(with executable: String, arguments: [String]) -> SystemError {
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        _ = unsafe withCStrings(arguments) { unsafe execv(executable, $0) }
        return .last("execv \(executable)")
    }
}
