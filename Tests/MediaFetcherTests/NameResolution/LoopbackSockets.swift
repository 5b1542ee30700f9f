import Glibc
import LinuxIO

/// A UDP socket and a listening TCP socket on one port of the loopback interface.
struct LoopbackSockets: ~Copyable, Sendable {
    let datagrams: OwnedDescriptor
    let listener: OwnedDescriptor
    let port: UInt16

    init() throws {
        // The port of the UDP socket may be in use for TCP.
        for _ in 0..<20 {
            let datagrams = try Self.open(SOCK_DGRAM)
            guard Self.bind(datagrams, port: 0) else { continue }
            let port = try Self.port(of: datagrams)
            let listener = try Self.open(SOCK_STREAM)
            guard Self.bind(listener, port: port), listen(listener.raw, 128) == 0 else { continue }
            self.datagrams = datagrams
            self.listener = listener
            self.port = port
            return
        }
        throw SystemError("bind", errno: EADDRINUSE)
    }

    private static func open(_ type: __socket_type) throws -> OwnedDescriptor {
        try .adopt(socket(AF_INET, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0), from: "socket")
    }

    private static func bind(_ socket: borrowing OwnedDescriptor, port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket.raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func port(of socket: borrowing OwnedDescriptor) throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.raw, $0, &length) }
        }
        guard result == 0 else { throw SystemError.last("getsockname") }
        return UInt16(bigEndian: address.sin_port)
    }
}
