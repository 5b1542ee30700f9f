import Glibc
import LinuxIO

/// A listener with a full queue. The kernel silently drops all further connection attempts.
final class FullListener: Sendable {
    private let listener: LoopbackListener
    private let queued: [Int32]

    init() throws {
        listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        // A second call of `listen` makes the queue shorter.
        guard listen(listener.descriptor.raw, 0) == 0 else { throw SystemError.last("listen") }
        var queued: [Int32] = []
        var isFull = false
        while !isFull, queued.count < 16 {
            let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            guard connection >= 0 else { throw SystemError.last("socket") }
            queued.append(connection)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = LoopbackAddress(0, 0, 1).number.bigEndian
            address.sin_port = listener.port.bigEndian
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            // On the loopback interface, a handshake that takes longer than 20 ms does not happen at all.
            var state = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
            isFull = poll(&state, 1, 20) == 0
        }
        self.queued = queued
        guard isFull else { throw SystemError("listen", errno: EAGAIN) }
    }

    var port: UInt16 { listener.port }

    deinit { for connection in queued { close(connection) } }
}
