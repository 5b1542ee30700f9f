import Glibc
import LinuxIO

/// A TCP socket that listens on a loopback address.
struct LoopbackListener: ~Copyable, Sendable {
    let descriptor: OwnedDescriptor
    let port: UInt16

    /// Starts to listen on an address.
    ///
    /// - Parameter port: the port; 0 for any free port.
    /// - Parameter waits: whether `accept` blocks until a client connects.
    init(at host: LoopbackAddress, port: UInt16, waits: Bool) throws {
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
        let socket = try OwnedDescriptor.adopt(Glibc.socket(AF_INET, Int32(type), 0), from: "socket")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.number.bigEndian
        address.sin_port = port.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let raw = socket.raw
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, length) == 0 && listen(raw, 128) == 0 && getsockname(raw, $0, &length) == 0
            }
        }
        guard isListening else { throw SystemError.last("listen") }
        self.port = UInt16(bigEndian: address.sin_port)
        descriptor = socket
    }
}
