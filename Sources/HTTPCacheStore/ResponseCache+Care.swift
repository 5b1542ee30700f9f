import FoundationEssentials
import LinuxIO
package import NotificationModel
import Primitives

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
        if let totals = withIndex("be read", { try $0.totals() }) {
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
        let date = Date().addingTimeInterval(-CacheBodies.longestOnTheWay)
        for shard in CacheBodies.shards {
            sweep(shard, namedBefore: date)
            await Task.yield()
        }
    }

    /// Removes all responses, including those of other processes.
    package func clear() async {
        flush()
        front.withLock { $0.recent.forgetAll() }
        guard withIndex("be cleared", { try $0.clear() }) != nil else { return }
        let date = Date()
        for shard in CacheBodies.shards {
            sweep(shard, namedBefore: date)
            await Task.yield()
        }
    }

    func close() {
        flush(isLast: true)
        isClosed = true
        index?.close()
        index = nil
    }

    // MARK: Sweeps of files without a row

    /// Removes files without a row from all shards. Their process ended before it wrote the row, or the index was
    /// replaced.
    func sweepAll(from place: Int, namedBefore date: Date) {
        guard place < CacheBodies.shards.count, !isClosed else { return }
        sweep(CacheBodies.shards[place], namedBefore: date)
        loop.execute { self.assumeIsolated { $0.sweepAll(from: place + 1, namedBefore: date) } }
    }

    /// Sweeps the next shard. `flush` calls it once in 64 transactions.
    func sweepNext() {
        nextShard = (nextShard + 1) % CacheBodies.shards.count
        sweep(
            CacheBodies.shards[nextShard],
            namedBefore: Date().addingTimeInterval(-CacheBodies.longestOnTheWay))
    }

    func sweep(_ shard: String, namedBefore date: Date) {
        bodies.sweep(shard, namedBefore: date) { withIndex("be read") { try $0.files(in: shard) } }
    }
}
