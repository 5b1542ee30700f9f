// Its header has those of sockets too, and whichever of both modules is read first has the names.
import CCurl
import Glibc
import NotificationModel

/// What the kernel says of the network interfaces: their addresses, and that one has come or gone.
final class NetworkInterfaces: Sendable {
    /// Open from the first question on; `nil` before. Where it cannot be opened there is no news, and none is an error:
    /// readings grow old.
    private let news = Guarded<Int32?>(nil)

    deinit {
        news.withLock { descriptor in
            if let descriptor { close(descriptor) }
        }
    }

    /// Every address of every interface; `nil` where the kernel does not say.
    func addresses() -> Set<IPAddress>? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return nil }
        defer { unsafe freeifaddrs(first) }
        var addresses: Set<IPAddress> = []
        var next = unsafe first
        while let entry = unsafe next {
            if let address = unsafe Self.address(entry.pointee.ifa_addr) { addresses.insert(address) }
            unsafe next = entry.pointee.ifa_next
        }
        return addresses
    }

    /// Whether an address has come or gone since this was last asked. Never waits.
    func haveChanged() -> Bool {
        news.withLock { descriptor in
            if descriptor == nil { descriptor = Self.subscribe() }
            guard let descriptor else { return false }
            var isNews = false
            var message: UInt64 = 0
            while true {
                let count = unsafe recv(descriptor, &message, MemoryLayout<UInt64>.size, Int32(MSG_DONTWAIT))
                // More news than the socket holds (ENOBUFS) is news too.
                guard count >= 0 || errno == ENOBUFS || errno == EINTR else { return isNews }
                isNews = true
            }
        }
    }

    /// A netlink socket that is told of each address that comes or goes (rtnetlink(7)).
    private static func subscribe() -> Int32? {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_NETLINK, type, routeProtocol)
        guard descriptor >= 0 else { return nil }
        var address = NetlinkAddress(groups: addressesOfIPv4 | addressesOfIPv6)
        let length = socklen_t(MemoryLayout<NetlinkAddress>.size)
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let pointer = unsafe pointer else { return nil }
        let bytes = UnsafeRawPointer(pointer)
        switch Int32(unsafe pointer.pointee.sa_family) {
        case AF_INET:
            let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
            return .v4(UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
            return unsafe withUnsafeBytes(of: address.sin6_addr) { unsafe IPAddress(bytes: $0) }
        default: return nil
        }
    }

    // linux/netlink.h and linux/rtnetlink.h, which are no part of Glibc's module.
    private static let routeProtocol: Int32 = 0
    private static let addressesOfIPv4: UInt32 = 0x10
    private static let addressesOfIPv6: UInt32 = 0x100

    /// `struct sockaddr_nl`.
    private struct NetlinkAddress {
        var family = sa_family_t(AF_NETLINK)
        var padding: UInt16 = 0
        /// 0: the kernel gives one.
        var port: UInt32 = 0
        var groups: UInt32
    }
}
