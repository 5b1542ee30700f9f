import Base
import NIOCore

/// The addresses whose new connections are closed at once, because of their earlier connections or of those that are open.
///
/// One address has at most half of the connections of the listener. A client with thousands of idle connections would
/// otherwise keep the connections of all other clients waiting.
///
/// A flood of HTTP/2 frames takes up to 25 ms of the event loop before its connection ends, and each connection begins
/// with a TLS handshake. A client that repeats this on new connections would delay all other callers.
final class AddressPenalties: Sendable {
    enum Fault: Sendable {
        /// A flood, or a request that is no HTTP.
        case violation
        /// A connection that ended without a request.
        case noRequest
    }

    /// The number of violations of an address that are permitted in a minute.
    static let maxViolations = 10
    /// The number of connections without a request that are permitted in a minute. Load balancers check the port with such
    /// connections, and browsers open them in advance.
    static let maxWithoutRequest = 300
    /// The time for which faults are counted, and for which connections are refused.
    static let time: Duration = .seconds(60)
    /// The number of addresses that are remembered. After that, the faults of further addresses are not counted.
    private static let maxAddresses = 4_096

    private struct Record {
        var violations = 0
        var withoutRequest = 0
        /// The time at which the record is forgotten.
        var end: MonotonicInstant

        var isRefused: Bool { violations > maxViolations || withoutRequest > maxWithoutRequest }
    }

    private let records = Guarded<[IPAddress: Record]>([:])
    /// The number of open connections of each address.
    private let open = Guarded<[IPAddress: Int]>([:])
    /// The number of open connections that one address may have, so that others always find a place.
    private let maxOpen: Int
    private let exempt: [AddressRange]
    private let clock: any RequestClock

    /// - Parameter exempt: The addresses of proxies, whose connections come from many clients.
    /// - Parameter maxConnections: The number of connections of the listener. One address may have half of them.
    init(exempt: [AddressRange], maxConnections: Int, clock: any RequestClock) {
        self.exempt = exempt
        maxOpen = max(1, maxConnections / 2)
        self.clock = clock
    }

    /// Counts a new connection of an address, until `leavePlace` is called.
    ///
    /// - Returns: Whether the address may open the connection.
    func takePlace(of address: IPAddress) -> Bool {
        guard admits(address) else { return false }
        return open.withLock { open in
            let count = open[Self.network(of: address)] ?? 0
            guard count < maxOpen || isExempt(address) else { return false }
            open[Self.network(of: address)] = count + 1
            return true
        }
    }

    /// Counts the end of a connection that has taken a place.
    func leavePlace(of address: IPAddress) {
        open.withLock { open in
            let count = (open[Self.network(of: address)] ?? 1) - 1
            open[Self.network(of: address)] = count > 0 ? count : nil
        }
    }

    private func isExempt(_ address: IPAddress) -> Bool { exempt.contains { $0.contains(address) } }

    /// Returns whether an address may open a connection now.
    func admits(_ address: IPAddress) -> Bool {
        let now = clock.now
        return records.withLock { records in
            guard let record = records[Self.network(of: address)], record.end > now else { return true }
            return !record.isRefused
        }
    }

    func add(_ fault: Fault, by address: IPAddress) {
        guard !isExempt(address) else { return }
        let (now, network) = (clock.now, Self.network(of: address))
        records.withLock { records in
            if records.count >= Self.maxAddresses, records[network] == nil {
                records = records.filter { $0.value.end > now }
                guard records.count < Self.maxAddresses else { return }
            }
            let new = Record(end: now.advanced(by: Self.time))
            var record = records[network].flatMap { $0.end > now ? $0 : nil } ?? new
            guard !record.isRefused else { return }
            switch fault {
            case .violation: record.violations += 1
            case .noRequest: record.withoutRequest += 1
            }
            if record.isRefused { record.end = new.end }
            records[network] = record
        }
    }

    /// Returns the network of one client: an IPv4 address, or the first 64 bits of an IPv6 address.
    private static func network(of address: IPAddress) -> IPAddress {
        guard case .v6(let bits) = address else { return address }
        return .v6((bits >> 64) << 64)
    }
}

/// The conduct of one connection, for the penalties of its address.
final class ConnectionConduct: Sendable {
    private struct State {
        var hasRequest = false
        var hasViolated = false
    }

    private let penalties: AddressPenalties?
    private let address: IPAddress?
    private let state = Guarded(State())

    /// - Parameter penalties: The penalties of addresses; `nil` if the listener admits connections of all addresses.
    /// - Returns: `nil` if the address of the channel may not open a connection now.
    init?(of channel: any Channel, penalties: AddressPenalties?) {
        self.penalties = penalties
        address = penalties == nil ? nil : Connection.address(of: channel)
        guard let penalties, let address else { return }
        guard penalties.takePlace(of: address) else { return nil }
        channel.closeFuture.whenComplete { _ in
            penalties.leavePlace(of: address)
            let isEmpty = self.state.withLock { !$0.hasRequest && !$0.hasViolated }
            if isEmpty { penalties.add(.noRequest, by: address) }
        }
    }

    func beginRequest() { state.withLock { $0.hasRequest = true } }

    /// Counts the first violation of the connection.
    func violate() {
        let isFirst = state.withLock { state in
            defer { state.hasViolated = true }
            return !state.hasViolated
        }
        if isFirst, let address { penalties?.add(.violation, by: address) }
    }
}
