import Glibc
import LinuxIO
import NotificationModel

/// The address that this machine would call another from.
enum SourceAddress {
    /// Connects a UDP socket, which sends nothing and never blocks; the kernel looks up the route.
    ///
    /// - Returns: `nil` where there is no way to the address.
    static func towards(_ address: IPAddress) -> IPAddress? {
        switch address {
        case .v4(let number):
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port
            target.sin_addr.s_addr = number.bigEndian
            let own = connect(target, family: AF_INET, empty: sockaddr_in())
            return own.map { .v4(UInt32(bigEndian: $0.sin_addr.s_addr)) }
        case .v6(let number):
            var target = sockaddr_in6()
            target.sin6_family = sa_family_t(AF_INET6)
            target.sin6_port = port
            unsafe withUnsafeMutableBytes(of: &target.sin6_addr) { bytes in
                unsafe bytes.storeBytes(of: number.bigEndian, as: UInt128.self)
            }
            let own = connect(target, family: AF_INET6, empty: sockaddr_in6())
            return own.flatMap { own in unsafe withUnsafeBytes(of: own.sin6_addr) { unsafe IPAddress(bytes: $0) } }
        }
    }

    /// Any but 0 does.
    private static let port = UInt16(443).bigEndian

    /// - Returns: the socket's own end.
    private static func connect<Address>(_ target: Address, family: Int32, empty: Address) -> Address? {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard let socket = try? OwnedDescriptor.adopt(Glibc.socket(family, type, 0), from: "socket") else { return nil }
        var length = socklen_t(MemoryLayout<Address>.size)
        var own = empty
        let isConnected = unsafe withUnsafePointer(to: target) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket.raw, $0, length) == 0
            }
        }
        let isKnown = unsafe withUnsafeMutablePointer(to: &own) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe isConnected && getsockname(socket.raw, $0, &length) == 0
            }
        }
        return isKnown ? own : nil
    }
}
