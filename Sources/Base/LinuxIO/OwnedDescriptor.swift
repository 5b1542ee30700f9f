import CLinuxShims
import Glibc

/// A file descriptor with one owner. The descriptor is closed when the owner releases this value.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes ownership of a descriptor that a system call has just returned.
    package init(adopting raw: Int32) { self.raw = raw }

    /// Takes ownership of the result of a call, or throws the error of the call.
    package static func adopt(_ raw: Int32, from call: String) throws(SystemError) -> OwnedDescriptor {
        guard raw >= 0 else { throw .last(call) }
        return OwnedDescriptor(adopting: raw)
    }

    /// Opens a file with close-on-exec. A file that the call creates has the mode less the umask.
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(SystemError) -> OwnedDescriptor {
        try adopt(unsafe Glibc.open(path, flags | O_CLOEXEC, mode), from: "open \(path)")
    }

    /// Gives up ownership of the descriptor, which this value then does not close.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit { _ = close(raw) }
}

/// The kernel's facts about a socket.
package enum SocketFacts {
    /// Returns the number of bytes that this process has read from a TCP socket. The number is too low if bytes arrive
    /// during the call. The result is `nil` if the descriptor is not a TCP socket.
    package static func consumedBytes(of socket: Int32) -> Int? {
        let count = agd_consumed_bytes(socket)
        return count < 0 ? nil : Int(count)
    }
}
