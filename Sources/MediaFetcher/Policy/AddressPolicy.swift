package import Base
import LinuxIO

/// The rule for the addresses and ports of connections. The rule allows public addresses on the ports 80 and 443, but
/// not the addresses of this host. It also allows the ranges of the operator.
///
/// The refused ranges are those of IANA's special-purpose address registries that are not globally reachable.
/// Multicast, 6to4 relays, and one public address of a cloud's metadata service are refused too.
package struct AddressPolicy: Sendable {
    package static let standardPorts: Set<UInt16> = [80, 443]

    /// The ranges whose addresses are exempt from the rules for addresses and ports. All other rules apply to them.
    package var allowed: [AddressRange]
    package var ports: Set<UInt16>
    private let own: LocalInterfaceAddresses

    /// Creates a rule for addresses and ports. The addresses of this host (`own`) are refused even if they are public.
    package init(
        allowed: [AddressRange] = [], ports: Set<UInt16> = AddressPolicy.standardPorts,
        own: LocalInterfaceAddresses = LocalInterfaceAddresses()
    ) {
        self.allowed = allowed
        self.ports = ports
        self.own = own
    }

    package enum Decision: Sendable, Equatable {
        case allowed
        /// The connection is refused. The value is the reason, as a sentence.
        case refused(String)
    }

    /// Decides on all addresses of a host. A single refused address refuses the host.
    ///
    /// The owner of a name can give it a public and an internal address. The owner can then also influence which of
    /// them a client uses first, or after a failure.
    package func decide(_ addresses: some Collection<IPAddress>, port: UInt16) -> Decision {
        guard let first = addresses.first else { return .refused("the host has no address") }
        guard let refusal = addresses.lazy.compactMap({ refusal(of: $0, port: port) }).first else { return .allowed }
        let isOnly = addresses.allSatisfy { $0 == first }
        return .refused(refusal.text(of: isOnly ? "the address" : "one of the host's addresses"))
    }

    package func decide(_ address: IPAddress, port: UInt16) -> Decision {
        refusal(of: address, port: port).map { .refused($0.text(of: "the address")) } ?? .allowed
    }

    /// Returns whether a range of the operator allows the address.
    package func exempts(_ address: IPAddress) -> Bool { allowed.contains { $0.contains(address) } }

    /// Returns the reason why the policy allows no connection to a port; `nil` if it allows a connection to at least
    /// one address. The check needs no resolved name.
    package func refusal(of port: UInt16) -> String? {
        guard allowed.isEmpty, !ports.contains(port) else { return nil }
        return portRefusal(port)
    }

    /// The reason why a connection to an address is refused.
    private enum Refusal {
        case notPublic
        case port(String)
        case own
        /// The addresses of this host cannot be read, and the address may be one of them.
        case ownAddressesUnknown

        func text(of subject: String) -> String {
            switch self {
            case .notPublic: "\(subject) is not public"
            case .port(let text): text
            case .own: "\(subject) is an address of this host"
            case .ownAddressesUnknown: "the addresses of this host cannot be read, and \(subject) may be one of them"
            }
        }
    }

    private func refusal(of address: IPAddress, port: UInt16) -> Refusal? {
        if exempts(address) { return nil }
        guard Self.isPublic(address) else { return .notPublic }
        guard ports.contains(port) else { return .port(portRefusal(port)) }
        return switch own.contains(address) {
        case false: nil
        case true: .own
        case nil: .ownAddressesUnknown
        }
    }

    private func portRefusal(_ port: UInt16) -> String {
        guard !ports.isEmpty else { return "no port is allowed" }
        return "port \(port) is not \(ports.sorted().map(String.init).joined(separator: " or "))"
    }

    package static func isPublic(_ address: IPAddress) -> Bool {
        switch address {
        case .v4: !refusedV4.contains { $0.contains(address) }
        case .v6(let number):
            globalUnicast.contains { $0.contains(address) } && !refusedV6.contains { $0.contains(address) }
                && !isISATAP(number)
        }
    }

    private static let refusedV4 = ranges([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4", "168.63.129.16/32",
    ])
    /// The only IPv6 block that IANA has assigned as global unicast. IPv4 addresses within IPv6 (mapped, NAT64) are
    /// outside of this block. Such addresses are refused without a check of the IPv4 address.
    private static let globalUnicast = ranges(["2000::/3"])
    private static let refusedV6 = ranges([
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "2620:4f:8000::/48",
    ])

    /// Returns whether the interface identifier has an IPv4 address (RFC 5214 §6.1): `…:0:5efe:…` and `…:200:5efe:…`.
    private static func isISATAP(_ number: UInt128) -> Bool {
        let interfaceHigh = UInt32(truncatingIfNeeded: number >> 32)
        return interfaceHigh & 0xFDFF_FFFF == 0x0000_5EFE
    }

    private static func ranges(_ texts: [String]) -> [AddressRange] { texts.compactMap(AddressRange.init) }
}

/// A cache of the addresses of this host. A service on one of them may trust any client that can connect to it.
///
/// The addresses are read when an address must be checked that no other rule refuses. The addresses are read again
/// after ten seconds, and immediately when the kernel reports a change.
package final class LocalInterfaceAddresses: Sendable {
    static let maxAge: Duration = .seconds(10)

    private struct Reading {
        var addresses: Set<IPAddress>
        var instant: MonotonicInstant
    }

    private let reading = Guarded<Reading?>(nil)
    private let read: @Sendable () -> Set<IPAddress>?
    private let hasChanged: @Sendable () -> Bool
    private let now: @Sendable () -> MonotonicInstant

    /// Creates a cache of the addresses of the network interfaces.
    package convenience init() {
        let interfaces = NetworkInterfaces()
        self.init(read: { interfaces.addresses() }, hasChanged: { interfaces.haveChanged() }, now: { .now })
    }

    /// Creates a cache of addresses. `read` returns `nil` if they cannot be read. `hasChanged` is called before each
    /// `read`, and returns whether the addresses may have changed since its last call.
    package init(
        read: @escaping @Sendable () -> Set<IPAddress>?, hasChanged: @escaping @Sendable () -> Bool,
        now: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.read = read
        self.hasChanged = hasChanged
        self.now = now
    }

    /// Returns whether an address belongs to this host; `nil` if the addresses cannot be read.
    func contains(_ address: IPAddress) -> Bool? {
        reading.withLock { reading in
            let now = now()
            // `hasChanged` is always called first, so that a change during `read` is found by the next call.
            let isNews = hasChanged()
            if !isNews, let known = reading, known.instant.duration(to: now) < Self.maxAge {
                return known.addresses.contains(address)
            }
            reading = read().map { Reading(addresses: $0, instant: now) }
            return reading?.addresses.contains(address)
        }
    }
}
