package import Base

/// The state of the circuit breakers of all hosts. The type has no clock and no thread.
///
/// If five media items of a host fail without a success between them, the circuit breaker opens: the host gets no
/// transfers for a pause. After the pause, one transfer tests the host. If it succeeds, all transfers may start again.
/// If it fails, the next pause is twice as long.
struct CircuitBreaker {
    static let failuresToOpen = 5
    static let minCooldown: Duration = .seconds(2)
    static let maxCooldown: Duration = .seconds(32)
    /// The time after which the failures of a host expire, if no new failure occurs.
    static let memory: Duration = .seconds(60)
    static let maxHosts = 10_000

    enum Permission: Equatable {
        case closed
        /// The caller's transfer tests the host. The caller must report its end.
        case halfOpen
        /// The circuit breaker is open for this remaining pause, which is zero while another transfer tests the host.
        case open(Duration)
    }

    /// The change in the state of a host that the end of a transfer causes.
    enum Change: Equatable {
        case none
        case opens(Duration)
        case recovered
    }

    private struct Host {
        /// The hashes of the URLs of the media items that have failed, each once.
        var failedMedia: [Int] = []
        var cooldown = CircuitBreaker.minCooldown
        var coolsDownUntil: MonotonicInstant?
        var isProbed = false
        var lastFailure: MonotonicInstant

        mutating func begin(at now: MonotonicInstant, _ jitter: Double) -> Change {
            let length = cooldown * (0.875 + jitter / 4)
            coolsDownUntil = now + length
            return .opens(length)
        }
    }

    private var hosts: [String: Host] = [:]

    var hostCount: Int { hosts.count }

    /// Returns whether a transfer to a host may begin, without any change of the state.
    func state(of host: String, at now: MonotonicInstant) -> Permission {
        guard !hosts.isEmpty, let known = hosts[host], let coolsDownUntil = known.coolsDownUntil,
            known.lastFailure + Self.memory > now
        else { return .closed }
        guard now >= coolsDownUntil, !known.isProbed else { return .open(max(.zero, now.duration(to: coolsDownUntil))) }
        return .halfOpen
    }

    /// Requests a transfer to a host. If the answer is `halfOpen`, the transfer tests the host.
    mutating func permission(for host: String, at now: MonotonicInstant) -> Permission {
        let permission = state(of: host, at: now)
        if permission == .halfOpen { hosts[host]?.isProbed = true }
        return permission
    }

    /// Returns whether a transfer tests a host now.
    func isTested(_ host: String) -> Bool { hosts[host]?.isProbed == true }

    mutating func succeeded(_ host: String) -> Change {
        guard !hosts.isEmpty, let known = hosts.removeValue(forKey: host), known.coolsDownUntil != nil else {
            return .none
        }
        return .recovered
    }

    /// Records that a media item of a host could not be fetched. `item` is the hash of its URL. A URL that fails
    /// repeatedly counts once, and therefore does not open the circuit breaker by itself.
    mutating func failed(_ host: String, item: Int, at now: MonotonicInstant, jitter: Double) -> Change {
        note(host, at: now) { known in
            if known.failedMedia.count < Self.failuresToOpen, !known.failedMedia.contains(item) {
                known.failedMedia.append(item)
            }
            guard known.failedMedia.count == Self.failuresToOpen, known.coolsDownUntil == nil else { return .none }
            return known.begin(at: now, jitter)
        }
    }

    /// Records that the test of a host has failed. `jitter`, 0…1 at random, varies the pause by a quarter.
    mutating func probeFailed(_ host: String, at now: MonotonicInstant, jitter: Double) -> Change {
        note(host, at: now) { known in
            known.isProbed = false
            known.cooldown = min(known.cooldown * 2, Self.maxCooldown)
            return known.begin(at: now, jitter)
        }
    }

    /// Allows another transfer to test a host whose test was cancelled.
    mutating func abandoned(_ host: String) { hosts[host]?.isProbed = false }

    private mutating func note(_ host: String, at now: MonotonicInstant, _ change: (inout Host) -> Change) -> Change {
        freeSpace(at: now)
        var known = hosts[host] ?? Host(lastFailure: now)
        if known.lastFailure + Self.memory <= now { known = Host(lastFailure: now) }
        known.lastFailure = now
        let result = change(&known)
        hosts[host] = known
        return result
    }

    private mutating func freeSpace(at now: MonotonicInstant) {
        guard hosts.count >= Self.maxHosts else { return }
        hosts = hosts.filter { $0.value.lastFailure + Self.memory > now }
        if hosts.count >= Self.maxHosts, let oldest = hosts.min(by: { $0.value.lastFailure < $1.value.lastFailure }) {
            hosts[oldest.key] = nil
        }
    }
}

/// A host whose circuit breaker is open. The host gets no transfers for a pause, because media of the host have failed.
package struct HostCooldown: Sendable, Equatable {
    /// The host with its port, as `host:port`.
    package let host: String
    /// The time until a transfer tests the host; zero if the next transfer tests it.
    package let cooldown: Duration
}

/// A table of the hosts whose circuit breaker is open, for readers on any thread.
package final class CooldownTable: Sendable {
    private static let maxHosts = 1_024

    private struct Entry {
        var coolsDownUntil: MonotonicInstant
        var isForgottenAt: MonotonicInstant
    }

    private let entries = Guarded<[String: Entry]>([:])

    /// Returns the hosts whose circuit breaker is open, sorted by name.
    package func hosts(at now: MonotonicInstant) -> [HostCooldown] {
        entries.withLock { $0 }.filter { $0.value.isForgottenAt > now }
            .map { HostCooldown(host: $0.key, cooldown: max(.zero, now.duration(to: $0.value.coolsDownUntil))) }
            .sorted { $0.host < $1.host }
    }

    /// Records that the circuit breaker of a host is open. Returns whether the table had no valid entry for the host
    /// before; `false` if the table is full.
    func note(_ host: String, cooldown: Duration, at now: MonotonicInstant) -> Bool {
        entries.withLock { entries in
            if entries.count >= Self.maxHosts { entries = entries.filter { $0.value.isForgottenAt > now } }
            let isNew = entries[host].map { $0.isForgottenAt <= now } ?? true
            guard !isNew || entries.count < Self.maxHosts else { return false }
            entries[host] = Entry(coolsDownUntil: now + cooldown, isForgottenAt: now + CircuitBreaker.memory)
            return isNew
        }
    }

    func remove(_ host: String) { entries.withLock { $0[host] = nil } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
