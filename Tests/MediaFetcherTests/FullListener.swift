import Glibc
import LinuxIO

/// A listener whose queue is full: the system drops whoever wants to connect, without a word.
final class FullListener: Sendable {
    private let listener: LoopbackListener
    private let queued: [Int32]

    init() throws {
        listener = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        // The queue can be made shorter while somebody listens.
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
            // On loopback a handshake that is not done now is not being done at all.
            var state = pollfd(fd: connection, events: Int16(POLLOUT), revents: 0)
            isFull = poll(&state, 1, 20) == 0
        }
        self.queued = queued
        guard isFull else { throw SystemError("listen", errno: EAGAIN) }
    }

    var port: UInt16 { listener.port }

    deinit { for connection in queued { close(connection) } }
}
