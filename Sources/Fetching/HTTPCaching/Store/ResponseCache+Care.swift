import Base
import FoundationEssentials
import LinuxIO
package import NotificationModel

/// The maintenance of the cache: the operations of an operator, and the regular cleaning.
extension ResponseCache {
    /// Applies new limits, and returns when the cache is within them.
    package func change(_ limits: ResponseCacheLimits) async {
        self.limits = limits
        flush()
        while freeSpace() { await Task.yield() }
    }

    package func statistics() -> ResponseCacheStatistics {
        flush()
        var statistics = counts
        // A read would create the index of a cache that has stored nothing.
        if FileSystem.size(of: indexPath) != nil, let totals = withIndex("be read", { try $0.totals() }) {
            statistics.entries = totals.entries
            statistics.bytes = totals.bytes
        }
        (statistics.lookups, statistics.lookupsFromMemory) = front.withLock { ($0.lookups, $0.lookupsFromMemory) }
        return statistics
    }

    /// Evicts responses beyond the limits, and removes files that have had no row for an hour.
    package func collect() async {
        guard FileSystem.size(of: indexPath) != nil else { return }
        while freeSpace() { await Task.yield() }
        await sweepAll(namedBefore: Date().addingTimeInterval(-CacheBodies.maxOnTheWay))
    }

    /// Removes all responses, including those of other processes.
    package func clear() async {
        flush()
        front.withLock { $0.recent.forgetAll() }
        guard withIndex("be cleared", { try $0.clear() }) != nil else { return }
        await sweepAll(namedBefore: Date())
    }

    func close() {
        flush(isLast: true)
        isClosed = true
        closeIndex()
    }

    private func sweepAll(namedBefore date: Date) async {
        for shard in CacheBodies.shards {
            sweep(shard, namedBefore: date)
            await Task.yield()
        }
    }

    /// Removes files whose process ended before it wrote their row, or whose index was replaced, from all shards.
    func sweepAll(from place: Int, namedBefore date: Date) {
        guard place < CacheBodies.shards.count, !isClosed else { return }
        sweep(CacheBodies.shards[place], namedBefore: date)
        loop.execute { self.assumeIsolated { $0.sweepAll(from: place + 1, namedBefore: date) } }
    }

    /// Sweeps the next shard. `flush` calls it once in 64 transactions.
    func sweepNext() {
        nextShard = (nextShard + 1) % CacheBodies.shards.count
        sweep(CacheBodies.shards[nextShard], namedBefore: Date().addingTimeInterval(-CacheBodies.maxOnTheWay))
    }

    func sweep(_ shard: String, namedBefore date: Date) {
        bodies.sweep(shard, namedBefore: date) { withIndex("be read") { try $0.files(in: shard) } }
    }
}

/// The eviction of responses on a full disk. The program can fetch the data of the cache again.
extension ResponseCache {
    /// The time after an eviction in which nothing is stored, so that the failed write gets the freed space.
    static let cooldown: Duration = .seconds(10)

    /// Evicts the least recently used responses until a number of bytes is free, or removes the index if no response is
    /// left. Returns whether any data was removed. The files are removed first: on a full disk the index accepts no
    /// change before space is free. A row without its file is a miss.
    package func evict(_ byteCount: Int) async -> Bool {
        if isClosed { return false }
        coolsDownUntil = .now.advanced(by: Self.cooldown)
        flush()
        guard FileSystem.size(of: indexPath) != nil else { return false }
        warnings.report("full", "the disk is full: the cache evicts responses, and stores nothing for \(Self.cooldown)")
        let uses = front.withLock { $0.uses }
        let least = withIndex("be read") { try $0.minUsed(byteCount, lately: uses, without: idsOnTheirWayOut) } ?? []
        guard !least.isEmpty else { return await purge() }
        bodies.remove(least.map(\.file))
        counts.evicted += least.count
        await remove(least.map(\.id))
        flush()
        return true
    }

    /// Whether the disk was full a moment ago, so that the cache stores nothing.
    var isResting: Bool { coolsDownUntil.map { MonotonicInstant.now < $0 } ?? false }

    /// The ids whose rows could not be removed yet. Their files are already removed.
    private var idsOnTheirWayOut: Set<String> {
        pending.changes.reduce(into: []) { ids, change in
            if case .remove(let list) = change { ids.formUnion(list) }
        }
    }

    /// Removes the index and all bodies, also those that another process has stored and uses.
    private func purge() async -> Bool {
        closeIndex()
        pending = PendingChanges()
        unusableUntil = coolsDownUntil
        front.withLock { front in
            front.recent.forgetAll()
            front.uses = [:]
        }
        do throws(SystemError) { try CacheIndex.remove(indexPath) } catch { return false }
        for shard in CacheBodies.shards {
            bodies.removeAll(of: shard)
            // The thread does other work between two directories.
            await Task.yield()
        }
        return true
    }
}
