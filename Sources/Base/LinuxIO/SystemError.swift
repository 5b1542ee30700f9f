import Glibc

/// The error of a system call: the name of the call, and its `errno`.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(_ call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// Returns an error with the calling thread's `errno`, which is read before the text is made.
    package static func last(_ call: @autoclosure () -> String) -> SystemError {
        let errno = Glibc.errno
        return SystemError(call(), errno: errno)
    }

    /// Whether there is no data to read, or no room to write, at the moment.
    package var isTryAgain: Bool { errno == EAGAIN }

    /// Whether no file or directory has this name.
    package var isNoSuchFile: Bool { errno == ENOENT }

    /// Whether another file has the name.
    package var isNameTaken: Bool { errno == EEXIST }

    /// Whether a part of the path is no directory.
    package var isNoDirectory: Bool { errno == ENOTDIR }

    /// Whether the process or the system has no free descriptors at the moment.
    package var isOutOfDescriptors: Bool { errno == EMFILE || errno == ENFILE }

    /// Whether the file system or the user's quota has no room left.
    package var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

    package var description: String { "\(call): \(reason)" }

    /// The system's text for the error (strerror(3)).
    package var reason: String { unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)" }
}
