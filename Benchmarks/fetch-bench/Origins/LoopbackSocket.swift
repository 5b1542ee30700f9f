import Glibc
import LinuxIO

/// A socket that listens on 127.0.0.1, at a port that the system chooses.
struct LoopbackSocket: ~Copyable, Sendable {
    let descriptor: OwnedDescriptor
    let port: UInt16

    static func listening() throws(SystemError) -> LoopbackSocket {
        let descriptor = try open(flags: SOCK_NONBLOCK)
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withSockaddr(&address) {
            bind(descriptor.raw, $0, length) == 0 && listen(descriptor.raw, 4_096) == 0
                && getsockname(descriptor.raw, $0, &length) == 0
        }
        guard isBound else { throw .last("bind") }
        return LoopbackSocket(descriptor: descriptor, port: UInt16(bigEndian: address.sin_port))
    }

    /// Returns whether a process listens on the port.
    static func connects(to port: UInt16) -> Bool {
        guard let descriptor = try? open() else { return false }
        var address = address(port)
        return withSockaddr(&address) {
            connect(descriptor.raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }

    private static func open(flags: __socket_type = SOCK_STREAM) throws(SystemError) -> OwnedDescriptor {
        let flags = Int32(SOCK_STREAM.rawValue | flags.rawValue | SOCK_CLOEXEC.rawValue)
        return try OwnedDescriptor.adopt(socket(AF_INET, flags, 0), from: "socket")
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func withSockaddr<Result>(
        _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
