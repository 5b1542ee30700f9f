package import Primitives

/// A host whose circuit breaker is open. The host gets no transfers for a pause, because media of the host have failed.
package struct RestingHost: Sendable, Equatable {
    /// The host with its port, as `host:port`.
    package let host: String
    /// The time until a transfer tests the host; zero if the next transfer tests it.
    package let rest: Duration
}

/// A table of the hosts whose circuit breaker is open, for readers on any thread.
package final class RestingHostTable: Sendable {
    private static let mostHosts = 1_024

    private struct Entry {
        var restingUntil: MonotonicInstant
        var isForgottenAt: MonotonicInstant
    }

    private let entries = Guarded<[String: Entry]>([:])

    /// Returns the hosts whose circuit breaker is open, sorted by name.
    package func hosts(at now: MonotonicInstant) -> [RestingHost] {
        entries.withLock { $0 }.filter { $0.value.isForgottenAt > now }
            .map { RestingHost(host: $0.key, rest: max(.zero, now.duration(to: $0.value.restingUntil))) }
            .sorted { $0.host < $1.host }
    }

    /// Records that the circuit breaker of a host is open.
    ///
    /// - Returns: whether the table had no valid entry for the host before; `false` if the table is full.
    func note(_ host: String, rest: Duration, at now: MonotonicInstant) -> Bool {
        entries.withLock { entries in
            if entries.count >= Self.mostHosts { entries = entries.filter { $0.value.isForgottenAt > now } }
            let isNew = entries[host].map { $0.isForgottenAt <= now } ?? true
            guard !isNew || entries.count < Self.mostHosts else { return false }
            entries[host] = Entry(restingUntil: now + rest, isForgottenAt: now + CircuitBreaker.memory)
            return isNew
        }
    }

    func remove(_ host: String) { entries.withLock { $0[host] = nil } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
