package import NotificationModel

/// A host that gets no transfers for a while, because media of it have failed.
package struct RestingHost: Sendable, Equatable {
    /// `host:port`.
    package let host: String
    /// The time until a transfer tests the host; zero: the next transfer tests it.
    package let rest: Duration
}

/// The hosts that rest, for readers on other threads.
package final class RestingHostTable: Sendable {
    private static let mostHosts = 1_024

    private struct Entry {
        var restsUntil: MonotonicInstant
        var isForgottenAt: MonotonicInstant
    }

    private let entries = Guarded<[String: Entry]>([:])

    /// The hosts that rest, in the order of their names.
    package func hosts(at now: MonotonicInstant) -> [RestingHost] {
        entries.withLock { $0 }.filter { $0.value.isForgottenAt > now }
            .map { RestingHost(host: $0.key, rest: max(.zero, now.duration(to: $0.value.restsUntil))) }
            .sorted { $0.host < $1.host }
    }

    /// - Returns: whether the host did not rest before.
    func note(_ host: String, rest: Duration, at now: MonotonicInstant) -> Bool {
        entries.withLock { entries in
            if entries.count >= Self.mostHosts { entries = entries.filter { $0.value.isForgottenAt > now } }
            let isNew = entries[host].map { $0.isForgottenAt <= now } ?? true
            guard !isNew || entries.count < Self.mostHosts else { return false }
            entries[host] = Entry(restsUntil: now + rest, isForgottenAt: now + CircuitBreaker.memory)
            return isNew
        }
    }

    func remove(_ host: String) { entries.withLock { $0[host] = nil } }

    func removeAll() { entries.withLock { $0 = [:] } }
}
