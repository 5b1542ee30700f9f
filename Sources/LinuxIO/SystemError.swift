import Glibc

/// A system call that failed: which, and why.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    package let call: String
    package let errno: Int32

    package init(_ call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    /// The calling thread's `errno`, read before the words for it are made.
    package static func last(_ call: @autoclosure () -> String) -> SystemError {
        let errno = Glibc.errno
        return SystemError(call(), errno: errno)
    }

    /// There is nothing to read, or no room to write, at the moment.
    package var isTryAgain: Bool { errno == EAGAIN }

    /// There is no file or folder of this name.
    package var isNoSuchFile: Bool { errno == ENOENT }

    /// A part of the path is no folder.
    package var isNoDirectory: Bool { errno == ENOTDIR }

    /// The process, or the system, has no descriptors left for the moment.
    package var isOutOfDescriptors: Bool { errno == EMFILE || errno == ENFILE }

    /// There is no room: the file system has none left, or the user's quota.
    package var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

    package var description: String { "\(call): \(reason)" }

    /// The system's words for the error (strerror(3)).
    package var reason: String {
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return unsafe String(cString: text)
    }
}
