import Base
import CCares
import CCurl
import Glibc
import LinuxIO
import NotificationModel

extension HostAnswer {
    /// The maximum number of addresses that are used of one answer. A client does not try more addresses.
    static let maxAddresses = 32

    init(status: Int32, list: ares_addrinfo?) {
        guard status == ARES_SUCCESS, let list = unsafe list else {
            self = Self.failure(status)
            return
        }
        var addresses: [IPAddress] = []
        var ttl = Int32.max
        var node = unsafe list.nodes
        while let record = unsafe node?.pointee {
            unsafe ttl = min(ttl, record.ai_ttl)
            if addresses.count < Self.maxAddresses, let address = unsafe Self.address(in: record),
                !addresses.contains(address)
            {
                addresses.append(address)
            }
            unsafe node = record.ai_next
        }
        var alias = unsafe list.cnames
        while let record = unsafe alias?.pointee {
            unsafe ttl = min(ttl, record.ttl)
            unsafe alias = record.next
        }
        guard !addresses.isEmpty else {
            self = Self.failure(ARES_ENODATA)
            return
        }
        self = .addresses(AddressOrder.sorted(addresses, source: SourceAddress.towards), ttl: .seconds(ttl))
    }

    private static func address(in record: ares_addrinfo_node) -> IPAddress? {
        guard let start = unsafe UnsafeRawPointer(record.ai_addr) else { return nil }
        let place: (offset: Int?, count: Int)
        switch unsafe record.ai_family {
        case AF_INET: place = (MemoryLayout<sockaddr_in>.offset(of: \.sin_addr), 4)
        case AF_INET6: place = (MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr), 16)
        default: return nil
        }
        guard let offset = place.offset, unsafe Int(record.ai_addrlen) >= offset + place.count else { return nil }
        let bytes = unsafe (start + offset).assumingMemoryBound(to: UInt8.self)
        return unsafe IPAddress(bytes: UnsafeBufferPointer(start: bytes, count: place.count).span)
    }

    private static func failure(_ status: Int32) -> HostAnswer {
        switch status {
        case ARES_ENOTFOUND: .nothing(MediaFailure.noSuchName.detail)
        case ARES_ENODATA: .nothing("the name of the host has no addresses")
        case ARES_ETIMEOUT: .unknown("the name servers do not answer")
        // c-ares reports this status for unreachable servers, and for servers that fail (SERVFAIL) or refuse (REFUSED).
        case ARES_ECONNREFUSED: .unknown("no name server could answer for the name of the host")
        case ARES_EBADRESP, ARES_EFORMERR: .unknown("the response of the name server cannot be read")
        default: .unknown("the name of the host cannot be resolved: \(CaresError(status: status))")
        }
    }
}
