import Glibc
import LinuxIO

/// A name server on the loopback interface that receives every question and never answers.
struct SilentNameServer: ~Copyable, Sendable {
    private let datagrams: OwnedDescriptor
    /// The address in the form of `ResolverSettings.nameservers`.
    let address: String

    init() throws {
        let type = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
        let socket = try OwnedDescriptor.adopt(Glibc.socket(AF_INET, Int32(type), 0), from: "socket")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = LoopbackAddress(0, 0, 1).number.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let raw = socket.raw
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, length) == 0 && getsockname(raw, $0, &length) == 0
            }
        }
        guard isBound else { throw SystemError.last("bind") }
        self.address = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        datagrams = socket
    }
}
