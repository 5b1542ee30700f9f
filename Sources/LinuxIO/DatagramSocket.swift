import CLinuxShims
import Glibc

/// A datagram socket that is connected to a Unix socket of another program, such as a service manager or a journal.
package struct DatagramSocket: ~Copyable, Sendable {
    private let descriptor: OwnedDescriptor

    /// Connects the socket to a path; `@` begins a name in the abstract namespace.
    package init(to path: String) throws(SystemError) {
        descriptor = try .adopt(unsafe agd_connect_datagram(path), from: "connect \(path)")
    }

    /// Limits the time for which a message waits for its receiver. The call then fails with `EAGAIN`.
    borrowing func limitWaits(toSeconds seconds: Int) throws(SystemError) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        guard unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, size) == 0 else {
            throw .last("setsockopt SO_SNDTIMEO")
        }
    }

    /// Sends one message whole, or fails.
    ///
    /// - Parameter waits: Whether the call waits if the receiver has too many unread messages, for the time that
    ///   `limitWaits` has set. Otherwise the call then fails with `EAGAIN`.
    package borrowing func send(_ message: [UInt8], waits: Bool) throws(SystemError) {
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while true {
            let sent = unsafe message.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor.raw, bytes.baseAddress, bytes.count, flags)
            }
            if sent < 0, errno == EINTR { continue }
            guard sent == message.count else { throw .last("send") }
            return
        }
    }
}
