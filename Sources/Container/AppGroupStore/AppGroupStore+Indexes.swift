import Base
import LinuxIO
import NotificationModel
import SQLiteFiles

/// The management of the open indexes. An index is opened when it is needed, and closed when it is idle.
extension AppGroupStore {
    /// The time for which an unused index stays open. Its WAL occupies disk space during this time.
    static let idleTime: Duration = .seconds(60)
    /// The number of idle indexes that are closed, with two fsyncs each, before the thread of the disk does other work.
    private static let closedInATurn = 2

    /// Runs a body on the index of a group. If the index is damaged, it is replaced and the body runs once more.
    func withIndex<Value>(of group: AppGroupName, _ body: (ContainerIndex) throws -> Value) throws -> Value {
        let index = try index(of: group)
        open.warmUp(group)?.releaseMemory()
        do { return try body(index) } catch  where DatabaseDamage.isDamage(error) {
            return try body(replace(index, of: group, because: error))
        }
    }

    /// Runs steps of maintenance of a group, and keeps its index open between the steps. An index that was closed
    /// before is closed at the end, so that maintenance of all groups does not close the indexes that requests use.
    ///
    /// Maintenance holds the indexes of at most four groups at a time, and waits otherwise. A body must therefore not
    /// hold the index of another group.
    func withLockedIndex<Value, Failure: Error>(
        of group: AppGroupName, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if open.mayHold(group) {
            open.hold(group)
        } else {
            // `endHold` holds the index for the waiter.
            let waiter = Waiter<Void>()
            holdWaiters.append((group, waiter))
            await waiter.value()
        }
        let wasOpen = open.contains(group)
        defer { endHold(of: group, wasOpen: wasOpen) }
        let value = try await body()
        // Opening and closing an index takes milliseconds, so the thread of the disk does other work before the next
        // group.
        if !wasOpen { await Task.yield() }
        return value
    }

    private func endHold(of group: AppGroupName, wasOpen: Bool) {
        if open.release(group) {
            if wasOpen { open.coldIndex(of: group)?.releaseMemory() } else { close(group) }
        }
        while let next = holdWaiters.first, open.mayHold(next.group) {
            holdWaiters.removeFirst()
            open.hold(next.group)
            next.waiter.resume()
        }
    }

    /// Reads the whole index of a group, and replaces it if it is damaged.
    func checkIndex(of group: AppGroupName) async throws {
        let index = try index(of: group)
        do { try await index.check() } catch  where DatabaseDamage.isDamage(error) {
            _ = try replace(index, of: group, because: error)
        }
    }

    /// Closes the indexes that no request has used for a minute, and lets the thread do other work after every two.
    func closeIdleIndexes(at now: MonotonicInstant = .now) async {
        while true {
            let idle = open.removeUnused(since: now.advanced(by: .zero - Self.idleTime), atMost: Self.closedInATurn)
            guard !idle.isEmpty else { return }
            closeAll(idle)
            await Task.yield()
        }
    }

    /// Closes all indexes. The store calls this function once, when it shuts down.
    func closeIndexes() { closeAll(open.removeAll()) }

    private func index(of group: AppGroupName) throws -> ContainerIndex {
        if let index = open.index(of: group, at: .now) { return index }
        closeAll(open.freeSpace(for: group))
        let index = try ContainerIndex.open(
            try AppGroupContainer(root: root, group: group).directory + "/index.sqlite",
            warn: { noteReplacement(of: group, $0) })
        insert(index, of: group)
        return index
    }

    private func replace(
        _ index: ContainerIndex, of group: AppGroupName, because error: any Error
    ) throws -> ContainerIndex {
        pins.withLock { $0.forget(group) }
        _ = open.remove(group)
        let next = try index.replaced(because: error) { noteReplacement(of: group, $0) }
        insert(next, of: group)
        return next
    }

    private func insert(_ index: ContainerIndex, of group: AppGroupName) {
        open.insert(index, of: group, at: .now)
        openings.withLock { $0.add(open: open.count) }
    }

    private func close(_ group: AppGroupName) {
        if let index = open.remove(group) { closeAll([(group, index)]) }
    }

    private func closeAll(_ indexes: [(group: AppGroupName, index: ContainerIndex)]) {
        guard !indexes.isEmpty else { return }
        for (group, index) in indexes {
            index.close()
            // A data version of SQLite has a meaning for one connection only, so the version of the closed connection
            // is forgotten.
            pins.withLock { $0.forget(group) }
        }
        openings.withLock { $0.open = open.count }
    }

    private func noteReplacement(of group: AppGroupName, _ words: String) {
        unreconciled.insert(group)
        warnings.report("damaged \(group)", words)
    }
}

/// The numbers of open indexes and of openings. Any thread may read them.
package struct IndexOpenings: Sendable, Equatable {
    package var open = 0
    package var total = 0

    mutating func add(open: Int) {
        self.open = open
        total += 1
    }
}
