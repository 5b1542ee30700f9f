import FoundationEssentials
import HTTPCaching
import LinuxIO
import NotificationModel

/// Memory before the index, and the index behind it.
extension ResponseCache {
    /// Before an index that cannot be opened is tried again.
    private static let pause: Duration = .seconds(1)
    /// Transactions for each of which, at most, one shard is looked through.
    private static let transactionsASweep = 64
    /// Inserts wait this long for others, with which they share a transaction and its pages. An end of the process before
    /// that costs a fetch.
    private static let insertDelay: Duration = .milliseconds(10)
    private static let mostInserts = 256
    /// Changes that wait for an index that cannot be written.
    private static let mostPending = 4_096

    // MARK: Looking up

    /// What memory has, where it can be trusted.
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
        // Another lookup may have been waiting for the same.
        if let list = known(key) { return list }
        front.withLock { $0.lookups += 1 }
        // Changes of other keys go on gathering: a transaction for each lookup would cost more than both.
        if pending.contains(where: { $0.mayConcern(key) }) {
            flush()
            if isBehind { return [] }
        }
        guard let list = withIndex("be read", { try $0.responses(for: key) }) else { return [] }
        front.withLock { $0.recent.set(list, for: key) }
        useWithoutBody(list)
        return list
    }

    /// Forgets what memory has where another process has written since.
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

    /// The use of one with a body is its opening: of several under a key, one is chosen.
    private nonisolated func useWithoutBody(_ list: [CacheEntry]) {
        for entry in list where entry.body == nil { use(entry.response.id) }
    }

    /// Noted here, and written with what is to be written next.
    nonisolated func use(_ id: String) {
        let now = Self.microseconds
        let isFull = front.withLock { front in
            front.uses[id] = now
            return front.uses.count == Self.mostUses
        }
        if isFull { loop.execute { self.assumeIsolated { $0.flush() } } }
    }

    private static var microseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1e6) }

    // MARK: Writing

    func change(_ change: CacheIndex.Change) {
        pending.append(change)
        if case .insert = change, pending.count < Self.mostInserts { return flushSoon() }
        if isScheduled { return }
        isScheduled = true
        // Behind all that is in the loop's inbox by now, so that it shares the transaction.
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

    /// - Parameter isLast: also writes uses, however few.
    func flush(isLast: Bool = false) {
        isScheduled = false
        let uses = front.withLock { $0.uses }
        guard !pending.isEmpty || uses.count >= Self.mostUses || (isLast && !uses.isEmpty) else { return }
        let changes = pending
        pending = []
        front.withLock { $0.uses = [:] }
        let written = withIndex("be written") { index in
            try index.write(changes, uses: uses, within: limits, at: Self.microseconds)
        }
        guard let written else { return lose(changes) }
        finish(written)
        if written.isOverQuota { makeRoomLater() }
        transactions += 1
        if transactions % Self.transactionsASweep == 1 { sweepNext() }
    }

    /// As much as one transaction does; then others have their turn.
    ///
    /// - Returns: whether there is more to do.
    func makeRoom() -> Bool {
        let written = withIndex("be written") { index in
            try index.write([], uses: [:], within: limits, at: Self.microseconds)
        }
        guard let written else { return false }
        finish(written)
        return written.isOverQuota
    }

    private nonisolated func makeRoomLater() {
        loop.execute {
            if self.assumeIsolated({ $0.makeRoom() }) { self.makeRoomLater() }
        }
    }

    private func finish(_ written: CacheIndex.Written) {
        bodies.remove(written.files)
        counts.evicted += written.evicted.count
        front.withLock { front in
            for id in written.evicted { front.recent.remove(id) }
        }
    }

    /// What the index did not take was never stored. What was to be changed or removed is not: it must not be served as
    /// it was, so nothing that it may concern is until that is written. It is tried again with the next change, and soon.
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
        if pending.count > Self.mostPending { return makeAnew(nil) }
        if pending.isEmpty || isRetryAhead { return }
        isRetryAhead = true
        _ = loop.schedule(at: .now + Self.pause) { [weak self] in self?.assumeIsolated { $0.retry() } }
    }

    private func retry() {
        isRetryAhead = false
        flush()
    }

    /// Whether what the index says is no longer so.
    var isBehind: Bool { !pending.isEmpty }

    // MARK: The index

    /// - Returns: `nil` where it fails, which is told.
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

    var indexPath: String { bodies.directory + "/index.sqlite" }

    /// An index that cannot be used has nothing to keep: what was stored is fetched again, and the files that it named
    /// are removed.
    ///
    /// - Parameter error: `nil` where it cannot be written.
    private func makeAnew(_ error: (any Error)?) {
        index?.close()
        index = nil
        dataVersion = nil
        front.withLock { $0.recent.forgetAll() }
        do throws(SystemError) { try CacheIndex.remove(indexPath) } catch {
            isClosed = true
            return warnings.report(
                "damage", "\(indexPath) cannot be removed (\(error)): the cache stores nothing until the next start")
        }
        pending = []
        let reason = error.map { "\($0)" } ?? "it cannot be written"
        warnings.report("damage", "\(indexPath) cannot be used (\(reason)), and is replaced by an empty one")
        let date = Date()
        loop.execute { self.assumeIsolated { $0.sweepAll(from: 0, namedBefore: date) } }
    }
}
