package import NotificationModel
package import Primitives
import WebURL

/// The figures of the hosts from which media were fetched in the last five to ten minutes, for operators.
///
/// The number of hosts is bounded, because the payloads choose the hosts. A host beyond the bound replaces the host with
/// the fewest requests, the least recently used one of them. The figures of the replaced host are added to those of all
/// other hosts. So the hosts with many requests stay, and no transfer is missing in the sums.
package final class HostTable: Sendable {
    /// The maximum number of hosts in each period.
    package static let mostHosts = 512
    /// The length of a period. A report covers one to two periods.
    package static let period: Duration = .seconds(300)

    package struct Report: Sendable {
        /// The time that the figures cover.
        package var covered: Duration
        /// The first hosts in the order of the report, as `host:port`.
        package var hosts: [(host: String, figures: HostFigures)]
        /// The number of other hosts that are known.
        package var otherHosts: Int
        /// The figures of all hosts that the report does not name.
        package var other: HostFigures
    }

    private struct Entry {
        var figures = HostFigures()
        var lastUse: UInt64 = 0
    }

    private struct Period {
        var hosts: [String: Entry] = [:]
        /// The figures of the hosts that were replaced.
        var folded = HostFigures()

        /// Removes the host with the fewest requests.
        mutating func fold() {
            let least = hosts.min { one, two in
                (one.value.figures.requests, one.value.lastUse) < (two.value.figures.requests, two.value.lastUse)
            }
            guard let least else { return }
            folded += least.value.figures
            hosts[least.key] = nil
        }
    }

    private struct State {
        var periods: RecentPeriods<Period>
        var uses: UInt64 = 0
    }

    private let state: Guarded<State>

    package init(at now: MonotonicInstant) {
        state = Guarded(State(periods: RecentPeriods(of: Self.period, at: now) { Period() }))
    }

    /// Adds a transfer that has ended.
    package func note(_ transfer: TransferTiming, at now: MonotonicInstant) {
        let host = Self.host(of: transfer.origin)
        state.withLock { state in
            state.uses += 1
            let use = state.uses
            state.periods.change(at: now) { period in
                if period.hosts[host] == nil, period.hosts.count >= Self.mostHosts { period.fold() }
                period.hosts[host, default: Entry()].figures.add(transfer)
                period.hosts[host]?.lastUse = use
            }
        }
    }

    /// Returns the figures of the first hosts in an order, and those of all others.
    ///
    /// - Parameter most: The maximum number of hosts that are named.
    package func report(by order: HostOrder, most: Int, at now: MonotonicInstant) -> Report {
        let (periods, covered) = state.withLock { state in
            state.periods.turn(at: now)
            return ([state.periods.previous, state.periods.current], state.periods.covered(at: now))
        }
        var hosts: [String: HostFigures] = [:]
        var other = HostFigures()
        for period in periods.compactMap(\.self) {
            for (host, entry) in period.hosts { hosts[host, default: HostFigures()] += entry.figures }
            other += period.folded
        }
        let sorted = hosts.sorted { one, two in
            let (left, right) = (order.value(of: one.value), order.value(of: two.value))
            return left == right ? one.key < two.key : left > right
        }
        for rest in sorted.dropFirst(most) { other += rest.value }
        return Report(
            covered: covered, hosts: sorted.prefix(most).map { (host: $0.key, figures: $0.value) },
            otherHosts: max(0, sorted.count - most), other: other)
    }

    /// Returns the host and the port of an origin such as `https://cdn.example`, as the circuit breakers name them.
    static func host(of origin: String) -> String {
        guard let end = origin.firstRange(of: "://") else { return origin }
        let place = HostAndPort(origin[end.upperBound...])
        guard place.port == nil else { return String(origin[end.upperBound...]) }
        return "\(place.host):\(WebURL.defaultPort(of: String(origin[..<end.lowerBound])))"
    }
}

extension HostOrder {
    fileprivate func value(of figures: HostFigures) -> Double {
        switch self {
        case .requests: Double(figures.requests)
        case .failures: Double(figures.failed)
        case .slow: figures.firstByte.quantile(0.95)?.milliseconds ?? 0
        case .bytes: Double(figures.bytes)
        }
    }
}
