import Base
import NotificationModel

/// A cache of recent failures, so that a failed fetch is not repeated at once. The cache has no clock.
///
/// Each class of failures has its own lifetime. Failures of the daemon and of the caller are never cached. A lost
/// connection is not cached either, because another attempt may succeed. The HTTP cache stores a response such as 404
/// like any other response.
struct NegativeCache<Key: Hashable> {
    static var maxEntries: Int { 10_000 }

    private struct Entry {
        var failure: MediaFailure
        var since: MonotonicInstant
        var until: MonotonicInstant
    }

    private var entries: [Key: Entry] = [:]

    var count: Int { entries.count }

    /// Returns the time for which a failure is cached; `nil` if the failure is not cached.
    static func lifetime(of failure: MediaFailure, status: Int?) -> Duration? {
        switch failure.reason {
        case .dnsFailed, .connectFailed, .tlsFailed: .seconds(2)
        case .httpStatus: status.map { $0 >= 500 || $0 == 429 } ?? false ? .seconds(2) : nil
        case .tooLarge, .unsupportedMedia, .redirectRefused: .seconds(60)
        default: nil
        }
    }

    mutating func note(_ failure: MediaFailure, status: Int?, for key: Key, at now: MonotonicInstant) {
        guard let lifetime = Self.lifetime(of: failure, status: status) else { return }
        if entries.count >= Self.maxEntries {
            entries = entries.filter { $0.value.until > now }
            // If the cache is full of current failures, all entries are removed, and the URLs are fetched again.
            if entries.count >= Self.maxEntries { entries.removeAll() }
        }
        entries[key] = Entry(failure: failure, since: now, until: now + lifetime)
    }

    func failure(for key: Key, at now: MonotonicInstant) -> MediaFailure? {
        guard let entry = entries[key], entry.until > now else { return nil }
        var failure = entry.failure
        let age = entry.since.duration(to: now).seconds.roundedToTenths
        failure.detail += " (found out \(age) s ago)"
        return failure
    }
}
