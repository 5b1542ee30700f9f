import NotificationModel

/// Hosts that keep failing are left alone for a while: pure.
///
/// So many failures one after the other, and the host rests. After the rest one transfer may try; when it succeeds all
/// may again, when it fails the host rests twice as long. An answer of any kind but 5xx and 429 is a success: the host
/// works, whatever it says.
struct CircuitBreaker {
    static let failuresToOpen = 5
    static let shortestRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(60)
    /// What is known of a host is forgotten after so long.
    static let memory: Duration = .seconds(600)
    static let mostHosts = 10_000

    enum Permission: Equatable {
        case closed
        /// The one that finds out; its end is to be told.
        case halfOpen
        case open(Duration)
    }

    private struct Host {
        var failures = 0
        var rest = CircuitBreaker.shortestRest
        var restsUntil: MonotonicInstant?
        var isProbed = false
        var lastFailure: MonotonicInstant
    }

    private var hosts: [String: Host] = [:]

    var hostCount: Int { hosts.count }

    mutating func permission(for host: String, at now: MonotonicInstant) -> Permission {
        guard !hosts.isEmpty, let known = hosts[host], let restsUntil = known.restsUntil else { return .closed }
        guard now >= restsUntil, !known.isProbed else {
            return .open(max(.zero, now.duration(to: restsUntil)))
        }
        hosts[host]?.isProbed = true
        return .halfOpen
    }

    mutating func succeeded(_ host: String) {
        if !hosts.isEmpty { hosts[host] = nil }
    }

    /// - Parameter jitter: 0…1, spreads the ends of rests by a quarter.
    mutating func failed(_ host: String, at now: MonotonicInstant, jitter: Double) {
        makeRoom(at: now)
        var known = hosts[host] ?? Host(lastFailure: now)
        if known.lastFailure + Self.memory < now { known = Host(lastFailure: now) }
        known.failures += 1
        known.lastFailure = now
        let wasProbe = known.isProbed
        known.isProbed = false
        if wasProbe { known.rest = min(known.rest * 2, Self.longestRest) }
        if wasProbe || (known.failures >= Self.failuresToOpen && known.restsUntil == nil) {
            known.restsUntil = now + known.rest * (0.875 + jitter / 4)
        }
        hosts[host] = known
    }

    /// The probe was taken back: another may try.
    mutating func abandoned(_ host: String) { hosts[host]?.isProbed = false }

    private mutating func makeRoom(at now: MonotonicInstant) {
        guard hosts.count >= Self.mostHosts else { return }
        hosts = hosts.filter { $0.value.lastFailure + Self.memory >= now }
        if hosts.count >= Self.mostHosts, let oldest = hosts.min(by: { $0.value.lastFailure < $1.value.lastFailure }) {
            hosts[oldest.key] = nil
        }
    }
}
