import NotificationModel

/// What has just failed is not tried again at once: pure.
///
/// Each class of failures has its time. What is our own fault, or the caller's, is never remembered; nor is what another
/// try may well bring, a connection that was lost. Answers such as 404 are responses like others and are kept by the
/// HTTP cache.
struct NegativeCache<Key: Hashable> {
    static var mostEntries: Int { 10_000 }

    private struct Entry {
        var failure: MediaFailure
        var since: MonotonicInstant
        var until: MonotonicInstant
    }

    private var entries: [Key: Entry] = [:]

    var count: Int { entries.count }

    /// How long a failure is believed; `nil`: not at all.
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
        if entries.count >= Self.mostEntries {
            entries = entries.filter { $0.value.until > now }
            // Whoever makes so many URLs fail in so short a time gets them tried again.
            if entries.count >= Self.mostEntries { entries.removeAll() }
        }
        entries[key] = Entry(failure: failure, since: now, until: now + lifetime)
    }

    func failure(for key: Key, at now: MonotonicInstant) -> MediaFailure? {
        guard let entry = entries[key], entry.until > now else { return nil }
        var failure = entry.failure
        let age = (entry.since.duration(to: now).seconds * 10).rounded() / 10
        failure.detail += " (found out \(age) s ago)"
        return failure
    }
}
