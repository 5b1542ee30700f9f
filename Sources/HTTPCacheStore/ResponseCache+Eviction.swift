import FoundationEssentials
import LinuxIO
import Primitives

/// The eviction of responses on a full disk. The program can fetch the data of the cache again.
extension ResponseCache {
    /// The time after an eviction in which nothing is stored. Otherwise the cache would fill the freed space before the
    /// failed write is repeated.
    static let rest: Duration = .seconds(10)

    /// Evicts the least recently used responses until a number of bytes is free. If no response is left, the index is
    /// removed too.
    ///
    /// The files are removed first: on a full disk the index accepts no change before space is free. A row without its
    /// file is a miss.
    ///
    /// - Returns: Whether any data was removed.
    package func evict(_ byteCount: Int) async -> Bool {
        if isClosed { return false }
        restsUntil = .now.advanced(by: Self.rest)
        flush()
        guard FileSystem.size(of: indexPath) != nil else { return false }
        warnings.report("full", "the disk is full: the cache evicts responses, and stores nothing for \(Self.rest)")
        let uses = front.withLock { $0.uses }
        let least = withIndex("be read") { try $0.leastUsed(byteCount, lately: uses, without: idsOnTheirWayOut) } ?? []
        guard !least.isEmpty else { return await purge() }
        bodies.remove(least.map(\.file))
        counts.evicted += least.count
        front.withLock { front in
            for response in least { front.recent.remove(response.id) }
        }
        change(.remove(ids: least.map(\.id)))
        flush()
        return true
    }

    /// Whether the disk was full a moment ago, so that the cache stores nothing.
    var isResting: Bool { restsUntil.map { MonotonicInstant.now < $0 } ?? false }

    /// The ids whose rows could not be removed yet. Their files are already removed.
    private var idsOnTheirWayOut: Set<String> {
        pending.reduce(into: []) { ids, change in
            if case .remove(let list) = change { ids.formUnion(list) }
        }
    }

    /// Removes the index and all bodies, also those that another process has stored and uses.
    private func purge() async -> Bool {
        index?.close()
        index = nil
        dataVersion = nil
        pending = []
        unusableUntil = restsUntil
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
