package import Base
package import NotificationModel

/// The figures of the hosts from which media are fetched: those of the last five to ten minutes for `top` and
/// `GET /v1/hosts`, and those since the start for the series of `/metrics`.
///
/// Payloads choose the hosts, so the number of hosts is bounded. When a period has ``maxHosts`` hosts, the quarter of
/// them with the fewest requests is folded: their figures are added to those of all other hosts. So the hosts with many
/// requests stay, and no transfer is missing in the sums.
///
/// At most ``maxSeries`` hosts have series, and are not folded. A host gets a free place with its second request in a
/// period. If no place is free, the busiest host without series takes the place of the least used host at the end of a
/// period, if it had at least twice as many requests. So a flood of hosts that occur once takes no place, and the
/// names of the series change slowly.
package final class HostTable: Sendable {
    /// The maximum number of hosts in each period.
    package static let maxHosts = 512
    /// The maximum number of hosts with series.
    package static let maxSeries = 50
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

        /// Adds a transfer, and returns the number of requests.
        mutating func add(_ transfer: TransferTiming, use: UInt64) -> Int {
            figures.add(transfer)
            lastUse = use
            return figures.requests
        }
    }

    private struct Period {
        var hosts: [String: Entry] = [:]
        /// The figures of the hosts that were folded.
        var folded = HostFigures()

        /// Folds hosts with few requests, the least recently used ones first.
        mutating func fold(except named: Set<String>) {
            let least = hosts.lazy.filter { !named.contains($0.key) }.sorted { one, two in
                (one.value.figures.requests, one.value.lastUse) < (two.value.figures.requests, two.value.lastUse)
            }
            for (host, entry) in least.prefix(HostTable.maxHosts / 4) {
                folded += entry.figures
                hosts[host] = nil
            }
        }
    }

    private struct State {
        var periods: RecentPeriods<Period>
        var uses: UInt64 = 0
        /// The figures of the hosts with series, since they have them.
        var series: [String: HostFigures] = [:]
        /// The figures of all transfers that are in no series, since the start.
        var others = HostFigures()

        /// Gives the place of the least used host of the last period to the busiest host without series.
        mutating func changePlace() {
            guard series.count == HostTable.maxSeries, let hosts = periods.previous?.hosts else { return }
            func requests(_ host: String) -> Int { hosts[host]?.figures.requests ?? 0 }
            let busiest = hosts.keys.filter { series[$0] == nil }.max { (requests($0), $1) < (requests($1), $0) }
            let least = series.keys.min { (requests($0), $0) < (requests($1), $1) }
            guard let busiest, let least, requests(busiest) >= 2 * max(1, requests(least)) else { return }
            series[least] = nil
            series[busiest] = HostFigures()
        }
    }

    private let state: Guarded<State>

    package init(at now: MonotonicInstant) {
        state = Guarded(State(periods: RecentPeriods(of: Self.period, at: now) { Period() }))
    }

    /// Adds a transfer that has ended.
    package func note(_ transfer: TransferTiming, at now: MonotonicInstant) {
        let host = Self.host(of: transfer.origin)
        state.withLock { state in
            if state.periods.turn(at: now) { state.changePlace() }
            if state.periods.current.hosts[host] == nil, state.periods.current.hosts.count >= Self.maxHosts {
                let named = Set(state.series.keys)
                state.periods.change(at: now) { $0.fold(except: named) }
            }
            state.uses += 1
            let use = state.uses
            let requests = state.periods.change(at: now) { period in
                period.hosts[host, default: Entry()].add(transfer, use: use)
            }
            if state.series[host] == nil, requests > 1, state.series.count < Self.maxSeries {
                state.series[host] = HostFigures()
            }
            if state.series[host]?.add(transfer) == nil { state.others.add(transfer) }
        }
    }

    /// Returns the figures of the first hosts in an order, and those of all others.
    ///
    /// - Parameter most: The maximum number of hosts that are named.
    package func report(by order: HostOrder, most: Int, at now: MonotonicInstant) -> Report {
        let (periods, covered) = state.withLock { state in
            if state.periods.turn(at: now) { state.changePlace() }
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

    /// Returns the figures of the hosts with series, sorted by host, and those of all other transfers.
    func series() -> (hosts: [(host: String, figures: HostFigures)], others: HostFigures) {
        let (series, others) = state.withLock { ($0.series, $0.others) }
        return (series.sorted { $0.key < $1.key }.map { (host: $0.key, figures: $0.value) }, others)
    }

    /// Returns the host and the port of an origin such as `https://cdn.example`, as the circuit breakers name them.
    static func host(of origin: String) -> String {
        guard let colon = origin.utf8.firstIndex(of: UInt8(ascii: ":")) else { return origin }
        let place = Substring(origin.utf8[colon...].dropFirst("://".utf8.count))
        guard HostAndPort(place).port == nil else { return String(place) }
        return "\(place):\(WebURL.defaultPort(of: String(origin[..<colon])))"
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
