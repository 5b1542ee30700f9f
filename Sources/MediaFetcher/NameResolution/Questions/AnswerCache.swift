import Base
import NotificationModel

/// A cache of recent answers until the end of their TTL. If it is full, it evicts the least recently used answer.
struct AnswerCache {
    private struct Entry {
        var result: Result<ResolvedHost, MediaFailure>
        var begin: MonotonicInstant
        var end: MonotonicInstant
        var lastUse: UInt64
    }

    private let limit: Int
    private let maxTTL: Duration
    private var entries: [HostName: Entry] = [:]
    private var uses: UInt64 = 0

    init(limit: Int, maxTTL: Duration) {
        self.limit = limit
        self.maxTTL = maxTTL
    }

    var count: Int { entries.count }

    mutating func find(_ name: HostName, at now: MonotonicInstant) -> Result<ResolvedHost, MediaFailure>? {
        guard let entry = entries[name] else { return nil }
        guard now < entry.end else {
            entries[name] = nil
            return nil
        }
        uses += 1
        entries[name]?.lastUse = uses
        return entry.result.map { host in
            ResolvedHost(addresses: host.addresses, ttl: now.duration(to: entry.end), wasCached: true)
        }
    }

    /// Returns the cached failure of a name; `nil` if `find` returns addresses or no entry for it.
    func failure(of name: HostName, at now: MonotonicInstant) -> RememberedFailure? {
        guard let entry = entries[name], now < entry.end, case .failure = entry.result else { return nil }
        return RememberedFailure(age: entry.begin.duration(to: now), cooldown: now.duration(to: entry.end))
    }

    /// Stores an answer until its TTL ends, and returns the result for the callers that wait for the answer.
    mutating func insert(
        _ answer: HostAnswer, for name: HostName, at now: MonotonicInstant
    ) -> Result<ResolvedHost, MediaFailure> {
        let result = answer.result(atMost: maxTTL)
        uses += 1
        entries[name] = Entry(
            result: result, begin: now, end: now.advanced(by: answer.ttl(atMost: maxTTL)), lastUse: uses)
        if entries.count > limit { freeSpace(at: now) }
        return result
    }

    private mutating func freeSpace(at now: MonotonicInstant) {
        entries = entries.filter { now < $0.value.end }
        guard entries.count > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
            return
        }
        entries[oldest.key] = nil
    }
}
