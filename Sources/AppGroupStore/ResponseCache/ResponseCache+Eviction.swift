import FoundationEssentials
import LinuxIO
import NotificationModel

/// A full disk: the cache is what can be done without.
extension ResponseCache {
    /// For so long after it gave way nothing is stored, so that what needs the room is not outrun.
    static let rest: Duration = .seconds(10)

    /// Removes what was used least recently, as much as is asked for; where nothing else is left, the index as well.
    ///
    /// The files go first: on a full disk the index takes no change before there is room. A row without its file is a
    /// miss.
    ///
    /// - Returns: whether anything went.
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

    /// Whether the disk was full a moment ago.
    var isResting: Bool { restsUntil.map { MonotonicInstant.now < $0 } ?? false }

    /// Their rows could not be removed yet; their files are gone.
    private var idsOnTheirWayOut: Set<String> {
        pending.reduce(into: []) { ids, change in
            if case .remove(let list) = change { ids.formUnion(list) }
        }
    }

    /// What another process has stored is gone as well, for that process too.
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
            // In between two folders the thread does what else is waiting.
            await Task.yield()
        }
        return true
    }
}
