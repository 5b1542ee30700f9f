import Base
import FoundationEssentials
import LinuxIO

/// The lookups in memory, then in the index, and the writes to the index.
extension ResponseCache {
    /// The time before an index that cannot be opened is tried again.
    private static let pause: Duration = .seconds(1)
    /// The number of transactions after which one shard is swept.
    private static let transactionsASweep = 64
    /// The time for which inserts wait for others, so that they share a transaction and its pages. If the process ends
    /// during this time, the response is fetched again.
    private static let insertDelay: Duration = .milliseconds(10)
    private static let maxInserts = 256
    /// The maximum number of changes that wait for an index that cannot be written.
    private static let maxPending = 4_096

    // MARK: Lookup of responses

    /// Returns the cached responses of a key; `nil` if memory does not have the key, or may be out of date.
    nonisolated func known(_ key: String) -> [CacheEntry]? {
        let now = MonotonicInstant.now
        let list = front.withLock { front -> [CacheEntry]? in
            guard let end = front.trustedUntil, now < end, let list = front.recent.list(for: key) else { return nil }
            front.lookups += 1
            front.lookupsFromMemory += 1
            return list
        }
        if let list { useWithoutBody(list) }
        return list
    }

    func load(_ key: String) -> [CacheEntry] {
        lookForOthers()
        // Another lookup of the same key may have filled the memory in the meantime.
        if let list = known(key) { return list }
        front.withLock { $0.lookups += 1 }
        // Changes of other keys keep waiting: a transaction for each lookup would cost more than the lookup and the
        // changes.
        if pending.mayConcern(key) {
            flush()
            if isBehind { return [] }
        }
        guard let list = withIndex("be read", { try $0.responses(for: key) }) else { return [] }
        front.withLock { $0.recent.set(list, for: key) }
        useWithoutBody(list)
        return list
    }

    /// Clears the memory if another process has written to the index.
    private func lookForOthers() {
        let now = MonotonicInstant.now
        if let end = front.withLock({ $0.trustedUntil }), now < end { return }
        let version = withIndex("be read") { try $0.dataVersion() }.flatMap(\.self)
        let isSame = version != nil && version == dataVersion
        dataVersion = version
        front.withLock { front in
            if !isSame { front.recent.forgetAll() }
            front.trustedUntil = version == nil ? nil : now.advanced(by: memoryAge)
        }
    }

    /// Records the use of responses without a body. The use of a response with a body is recorded when its body is
    /// opened, because a caller chooses one of several.
    private nonisolated func useWithoutBody(_ list: [CacheEntry]) {
        for entry in list where entry.body == nil { use(entry.response.id) }
    }

    /// Records a use in memory. The next transaction writes it.
    nonisolated func use(_ id: String) {
        let now = Self.microseconds
        let isFull = front.withLock { front in
            front.uses[id] = now
            return front.uses.count == Self.maxUses
        }
        if isFull { loop.execute { self.assumeIsolated { $0.flush() } } }
    }

    private static var microseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }

    // MARK: Writing to the index

    func change(_ change: CacheIndex.Change) {
        pending.append(change)
        if case .insert = change, pending.count < Self.maxInserts { return flushSoon() }
        if isScheduled { return }
        isScheduled = true
        // The flush runs after the changes that are already in the loop's inbox, so that they share the transaction.
        loop.execute { self.assumeIsolated { $0.flush() } }
    }

    private func flushSoon() {
        if isTimed { return }
        isTimed = true
        _ = loop.schedule(at: .now + Self.insertDelay) { [weak self] in
            self?.assumeIsolated {
                $0.isTimed = false
                $0.flush()
            }
        }
    }

    /// Writes the pending changes in one transaction. The last transaction also writes a small number of uses.
    func flush(isLast: Bool = false) {
        isScheduled = false
        let uses = front.withLock { $0.uses }
        guard !pending.isEmpty || uses.count >= Self.maxUses || (isLast && !uses.isEmpty) else { return }
        let changes = pending.changes
        pending = PendingChanges()
        front.withLock { $0.uses = [:] }
        let written = withIndex("be written") { index in
            try index.write(changes, uses: uses, within: limits, at: Self.microseconds)
        }
        guard let written else { return lose(changes) }
        finish(written)
        if written.isOverQuota { freeSpaceLater() }
        transactions += 1
        if transactions % Self.transactionsASweep == 1 { sweepNext() }
    }

    /// Evicts the largest number of responses that one transaction may evict. Other work can run after the transaction.
    /// Returns whether the cache still exceeds its limits.
    func freeSpace() -> Bool {
        let written = withIndex("be written") { index in
            try index.write([], uses: [:], within: limits, at: Self.microseconds)
        }
        guard let written else { return false }
        finish(written)
        return written.isOverQuota
    }

    private nonisolated func freeSpaceLater() {
        loop.execute {
            if self.assumeIsolated({ $0.freeSpace() }) { self.freeSpaceLater() }
        }
    }

    private func finish(_ written: CacheIndex.Written) {
        bodies.remove(written.files)
        counts.evicted += written.evicted.count
        front.withLock { front in
            for id in written.evicted { front.recent.remove(id) }
        }
    }

    /// Handles changes that the index did not accept. An insert is dropped.
    ///
    /// An update or a removal stays pending, because the old response must not be served. Lookups that it may concern
    /// return nothing until it is written. The change is tried again with the next change, or after a second.
    private func lose(_ changes: [CacheIndex.Change]) {
        front.withLock { $0.recent.forgetAll() }
        for change in changes {
            if case .insert(let entry, _) = change {
                counts.refused += 1
                if let body = entry.body { bodies.remove([body.name]) }
                pending.append(.remove(ids: [entry.response.id]))
            } else {
                pending.append(change)
            }
        }
        if pending.count > Self.maxPending { return makeAnew(nil) }
        if pending.isEmpty || isRetryAhead { return }
        isRetryAhead = true
        _ = loop.schedule(at: .now + Self.pause) { [weak self] in self?.assumeIsolated { $0.retry() } }
    }

    private func retry() {
        isRetryAhead = false
        flush()
    }

    /// Whether pending changes have made the index out of date.
    var isBehind: Bool { !pending.isEmpty }

    // MARK: The connection to the index

    /// Runs a body on the index, which is replaced if it is damaged. If the body fails, returns `nil` after a warning.
    func withIndex<Result>(_ purpose: String, _ body: (CacheIndex) throws -> Result) -> Result? {
        if isClosed { return nil }
        if let end = unusableUntil, MonotonicInstant.now < end { return nil }
        do {
            do { return try body(try openIndex()) } catch  where CacheIndex.isUnusable(error) {
                makeAnew(error)
                return try body(try openIndex())
            }
        } catch {
            if index == nil { unusableUntil = .now.advanced(by: Self.pause) }
            warnings.report("index", "the index of the cache cannot \(purpose): \(error)")
            return nil
        }
    }

    private func openIndex() throws -> CacheIndex {
        if let index { return index }
        try bodies.makeDirectory()
        let index = try CacheIndex(path: indexPath)
        self.index = index
        return index
    }

    func closeIndex() {
        index?.close()
        (index, dataVersion) = (nil, nil)
    }

    var indexPath: String { bodies.directory + "/index.sqlite" }

    /// Replaces an unusable index by an empty index. The responses of the unusable index are fetched again, and their
    /// files are removed. The error is `nil` if the index cannot be written.
    private func makeAnew(_ error: (any Error)?) {
        closeIndex()
        front.withLock { $0.recent.forgetAll() }
        do throws(SystemError) { try CacheIndex.remove(indexPath) } catch {
            isClosed = true
            return warnings.report(
                "damage", "\(indexPath) cannot be removed (\(error)): the cache stores nothing until the next start")
        }
        pending = PendingChanges()
        let reason = error.map { "\($0)" } ?? "it cannot be written"
        warnings.report("damage", "\(indexPath) cannot be used (\(reason)), and is replaced by an empty one")
        let date = Date()
        loop.execute { self.assumeIsolated { $0.sweepAll(from: 0, namedBefore: date) } }
    }
}

/// The changes that wait for the next transaction, in their order, and the keys that they may concern.
///
/// The keys are in a set, because each lookup asks for its key, and hundreds of changes may wait during a burst.
struct PendingChanges {
    private(set) var changes: [CacheIndex.Change] = []
    private var keys: Set<String> = []
    private var mayConcernAll = false

    var isEmpty: Bool { changes.isEmpty }
    var count: Int { changes.count }

    mutating func append(_ change: CacheIndex.Change) {
        changes.append(change)
        if let key = change.key { keys.insert(key) } else { mayConcernAll = true }
    }

    /// Returns whether a lookup of a key may give another result after the changes are written.
    func mayConcern(_ key: String) -> Bool { mayConcernAll || keys.contains(key) }
}
