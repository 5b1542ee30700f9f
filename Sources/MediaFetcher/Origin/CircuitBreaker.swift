import NotificationModel

/// Hosts that keep failing are left alone for a while: pure.
///
/// When five media items of a host have failed and none has succeeded in between, the host rests. After the rest, one
/// transfer tests the host. If it succeeds, all may go on. If it fails, the host rests for twice as long.
struct CircuitBreaker {
    static let failuresToOpen = 5
    static let shortestRest: Duration = .seconds(2)
    static let longestRest: Duration = .seconds(32)
    /// The failures of a host are forgotten after this time without a new one.
    static let memory: Duration = .seconds(60)
    static let mostHosts = 10_000

    enum Permission: Equatable {
        case closed
        /// The caller's transfer tests the host; its end is to be told.
        case halfOpen
        /// The remaining time of the rest; zero while another transfer tests the host.
        case open(Duration)
    }

    /// The change of a host that the end of a transfer causes.
    enum Change: Equatable {
        case none
        case rests(Duration)
        case recovered
    }

    private struct Host {
        /// Hashes of the URLs of the media items that have failed, each once.
        var failedMedia: [Int] = []
        var rest = CircuitBreaker.shortestRest
        var restsUntil: MonotonicInstant?
        var isProbed = false
        var lastFailure: MonotonicInstant

        mutating func begin(at now: MonotonicInstant, _ jitter: Double) -> Change {
            let length = rest * (0.875 + jitter / 4)
            restsUntil = now + length
            return .rests(length)
        }
    }

    private var hosts: [String: Host] = [:]

    var hostCount: Int { hosts.count }

    /// Whether a transfer to a host may begin. Does not begin it.
    func state(of host: String, at now: MonotonicInstant) -> Permission {
        guard !hosts.isEmpty, let known = hosts[host], let restsUntil = known.restsUntil,
            known.lastFailure + Self.memory > now
        else { return .closed }
        guard now >= restsUntil, !known.isProbed else { return .open(max(.zero, now.duration(to: restsUntil))) }
        return .halfOpen
    }

    /// Asks for a transfer to a host.
    mutating func permission(for host: String, at now: MonotonicInstant) -> Permission {
        let permission = state(of: host, at: now)
        if permission == .halfOpen { hosts[host]?.isProbed = true }
        return permission
    }

    /// Whether a transfer tests a host now.
    func isTested(_ host: String) -> Bool { hosts[host]?.isProbed == true }

    mutating func succeeded(_ host: String) -> Change {
        guard !hosts.isEmpty, let known = hosts.removeValue(forKey: host), known.restsUntil != nil else { return .none }
        return .recovered
    }

    /// Notes that a media item could not be had from a host.
    ///
    /// - Parameter medium: the hash of its URL. A URL that fails again and again does not make its host rest.
    mutating func failed(
        _ host: String, medium: Int, at now: MonotonicInstant, jitter: Double
    ) -> Change {
        note(host, at: now) { known in
            if known.failedMedia.count < Self.failuresToOpen, !known.failedMedia.contains(medium) {
                known.failedMedia.append(medium)
            }
            guard known.failedMedia.count == Self.failuresToOpen, known.restsUntil == nil else { return .none }
            return known.begin(at: now, jitter)
        }
    }

    /// Notes that the transfer which tested a host has failed.
    ///
    /// - Parameter jitter: 0…1, spreads the ends of rests by a quarter.
    mutating func probeFailed(_ host: String, at now: MonotonicInstant, jitter: Double) -> Change {
        note(host, at: now) { known in
            known.isProbed = false
            known.rest = min(known.rest * 2, Self.longestRest)
            return known.begin(at: now, jitter)
        }
    }

    /// Lets another transfer test a host whose test was cancelled.
    mutating func abandoned(_ host: String) { hosts[host]?.isProbed = false }

    private mutating func note(
        _ host: String, at now: MonotonicInstant, _ change: (inout Host) -> Change
    ) -> Change {
        makeRoom(at: now)
        var known = hosts[host] ?? Host(lastFailure: now)
        if known.lastFailure + Self.memory <= now { known = Host(lastFailure: now) }
        known.lastFailure = now
        let result = change(&known)
        hosts[host] = known
        return result
    }

    private mutating func makeRoom(at now: MonotonicInstant) {
        guard hosts.count >= Self.mostHosts else { return }
        hosts = hosts.filter { $0.value.lastFailure + Self.memory > now }
        if hosts.count >= Self.mostHosts, let oldest = hosts.min(by: { $0.value.lastFailure < $1.value.lastFailure }) {
            hosts[oldest.key] = nil
        }
    }
}
