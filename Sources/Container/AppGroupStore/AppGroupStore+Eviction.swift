import Base
package import FoundationEssentials
import HeapModule
import LinuxIO
package import NotificationModel

/// The eviction of media files, in batches. The thread of the disk does other work between two batches.
extension AppGroupStore {
    /// The maximum number of files that one transaction removes.
    private static let batchSize = 64

    /// The maximum number of messages that one transaction deletes.
    private static let messageBatch = 512

    /// The number of groups that are checked before the thread of the disk does other work.
    private static let groupsInATurn = 64

    /// Removes the files whose retention has passed, then the least recently used files until the remaining files of each
    /// group and of all groups are within their quotas.
    ///
    /// Leased files are not removed: a request whose result is not emitted yet needs them, or they were prefetched for
    /// a later message. A cancelled task ends after the current batch.
    package func evict(within limits: ContainerLimits, at now: Date) async -> EvictionReport {
        var report = EvictionReport()
        for group in unreconciled where !Task.isCancelled { await reconcile(group, at: now) }
        var all: Set<AppGroupName> = []
        await forEachGroup { group in
            guard !Task.isCancelled else { return }
            all.insert(group)
            let own = limits[group]
            let date = now.addingTimeInterval(-own.retention.seconds)
            if let usage = self.currentUsage(of: group), usage.hasNothingDue(before: date, at: now),
                usage.bytes <= own.quota ?? .max
            {
                report.keptBytes += usage.bytes
                return
            }
            await self.attempt(group) {
                try await self.withLockedIndex(of: group) {
                    try await self.forgetMessages(of: group, over: limits.messages, at: now)
                    try await self.evictOld(group, usedBefore: date, at: now, &report)
                    if let quota = own.quota { try await self.shrink(group, to: quota, at: now, &report) }
                }
            }
        }
        guard !Task.isCancelled else { return report }
        for group in Array(usages.keys) where !all.contains(group) { usages[group] = nil }
        await shrink(to: limits.quota, at: now, hasFailed: all.count > usages.count, &report)
        await closeIdleIndexes()
        return report
    }

    private func evictOld(
        _ group: AppGroupName, usedBefore date: Date, at now: Date, _ report: inout EvictionReport
    ) async throws {
        usages[group] = nil
        var position = ContainerIndex.EvictionPosition.start
        while true {
            let evicted = try evictBatch(of: group, after: position, usedBefore: date, enough: .max, at: now)
            report.expiredFiles += evicted.files
            report.freedBytes += evicted.bytes
            guard let end = evicted.end else { break }
            position = end
            try await pause()
        }
        try withIndex(of: group) { try $0.forgetRenditions(madeBefore: date, at: now) }
        while try withIndex(of: group, { try $0.forgetMessages(Self.messageBatch, emittedBefore: date, at: now) }) {
            try await pause()
        }
        report.keptBytes += try readUsage(of: group, at: now).bytes
    }

    /// Deletes the oldest messages of a group that exceed a limit, except for those that are needed.
    private func forgetMessages(of group: AppGroupName, over limit: Int, at now: Date) async throws {
        var surplus = try withIndex(of: group) { try $0.surplusOfMessages(over: limit) }
        var position: ContainerIndex.MessagePosition? = .start
        while let start = position, surplus > 0 {
            let most = min(surplus, Self.messageBatch)
            position = try withIndex(of: group) { try $0.forgetMessages(most, after: start, at: now) }
            surplus -= most
            try await pause()
        }
    }

    /// Removes the least recently used files of a group until its remaining files are within its quota.
    private func shrink(
        _ group: AppGroupName, to quota: Int, at now: Date, _ report: inout EvictionReport
    ) async throws {
        guard var surplus = usages[group].map({ $0.bytes - quota }), surplus > 0 else { return }
        var position = ContainerIndex.EvictionPosition.start
        while surplus > 0 {
            let evicted = try evictBatch(
                of: group, after: position, usedBefore: .distantFuture, enough: surplus, at: now)
            report.evictedFiles += evicted.files
            report.freedBytes += evicted.bytes
            report.keptBytes -= evicted.bytes
            surplus -= evicted.bytes
            guard let end = evicted.end else { break }
            position = end
            try await pause()
        }
        try readUsage(of: group, at: now)
    }

    /// Returns the usage that was last read from the index of a group; `nil` if the index has changed since.
    func currentUsage(of group: AppGroupName) -> GroupUsage? {
        guard let usage = usages[group], let stamp = usage.stamp, stamp == self.stamp(of: group) else { return nil }
        return usage
    }

    /// Reads the usage of a group from its index, and caches it in memory.
    @discardableResult
    func readUsage(of group: AppGroupName, at now: Date) throws -> GroupUsage {
        let stamp = stamp(of: group)
        let usage = try withIndex(of: group) { try $0.usage(stamp: stamp, at: now) }
        usages[group] = usage
        return usage
    }

    private func stamp(of group: AppGroupName) -> IndexStamp? {
        IndexStamp(of: "\(root)/\(group)/index.sqlite", at: Date())
    }

    /// A group in the heap of eviction, ordered by the use of its least recently used file.
    private struct Candidate: Comparable {
        let group: AppGroupName
        /// A lower bound of the earliest use of a removable file in the group, in seconds since 1970.
        var use: Double

        static func < (left: Candidate, right: Candidate) -> Bool { left.use < right.use }
    }

    /// Removes the least recently used files of all groups until the remaining files are within the quota, or until
    /// every file without a lease has been tried once. `hasFailed` means that the index of a group could not be used.
    private func shrink(to quota: Int, at now: Date, hasFailed: Bool, _ report: inout EvictionReport) async {
        guard report.keptBytes > quota else { return }
        var hasFailed = hasFailed
        var positions: [AppGroupName: ContainerIndex.EvictionPosition] = [:]
        var candidates = Heap(
            usages.lazy.filter { $0.value.oldestFreeUse < .infinity }.map {
                Candidate(group: $0, use: $1.oldestFreeUse)
            })
        while report.keptBytes > quota {
            guard var candidate = candidates.popMin() else {
                report.excess = hasFailed ? .evictionFailed : .filesInUse
                return
            }
            let group = candidate.group
            let next = candidates.min?.use
            let position = positions[group, default: .start]
            let surplus = report.keptBytes - quota
            var evicted: ContainerIndex.Evicted?
            var hasEnded = false
            let isDone = await attempt(group) {
                try await self.withLockedIndex(of: group) {
                    // Some candidate files may have been leased or used again.
                    let use = try self.withIndex(of: group) { try $0.oldestUse(after: position, at: now) }
                    guard let use else { return }
                    candidate.use = use.timeIntervalSince1970
                    evicted = ContainerIndex.Evicted()
                    if let next, candidate.use > next { return }
                    // This batch removes only files that are at least as old as the oldest file of the next group.
                    evicted = try self.evictBatch(
                        of: group, after: position,
                        usedBefore: next.map { Date(timeIntervalSince1970: $0 + 1) } ?? .distantFuture,
                        enough: surplus, at: now)
                    self.usages[group]?.stamp = nil
                    hasEnded = evicted?.end == nil
                }
            }
            if !isDone { hasFailed = true }
            if let evicted {
                report.evictedFiles += evicted.files
                report.freedBytes += evicted.bytes
                report.keptBytes -= evicted.bytes
                if evicted.failures > 0 { hasFailed = true }
                if let end = evicted.end { positions[group] = end }
                // The index has a file that the batch did not find, because its time of use is damaged.
                if hasEnded { hasFailed = true } else { candidates.insert(candidate) }
            }
            guard (try? await pause()) != nil else { return }
        }
    }

    /// Lets other work of the disk's thread run between two batches.
    ///
    /// - Throws: `CancellationError` in a cancelled task, so that the end of the daemon waits for one batch at most.
    func pause() async throws {
        await Task.yield()
        try Task.checkCancellation()
    }

    private func evictBatch(
        of group: AppGroupName, after position: ContainerIndex.EvictionPosition, usedBefore date: Date, enough: Int,
        at now: Date
    ) throws -> ContainerIndex.Evicted {
        try withIndex(of: group) { index in
            try index.evict(Self.batchSize, after: position, usedBefore: date, enough: enough, at: now) { path in
                removeMedia(path, of: group)
            }
        }
    }

    /// Removes a file by its path within a group, and returns whether it no longer exists. An error is only a warning.
    func removeMedia(_ path: String, of group: AppGroupName) -> Bool {
        do throws(SystemError) {
            try FileSystem.remove("\(root)/\(group)/\(path)")
            return true
        } catch {
            if error.isNoSuchFile { return true }
            warnings.report("remove", "\(group)/\(path) cannot be removed: \(error.reason)")
            return false
        }
    }

    /// Runs a body for one group. An error is reported as a warning, so that maintenance continues with the other
    /// groups. Returns whether the body succeeded.
    @discardableResult
    func attempt(_ group: AppGroupName, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch is CancellationError {
            return false
        } catch {
            warnings.report("index of \(group)", "the media of \(group) cannot be checked for eviction: \(error)")
            return false
        }
    }

    /// Calls a body for each group. The thread of the disk does other work after every 64 groups.
    func forEachGroup<Failure: Error>(_ body: (AppGroupName) async throws(Failure) -> Void) async throws(Failure) {
        var count = 0
        for name in (try? FileSystem.names(in: root)) ?? [] {
            guard let group = AppGroupName(name), Self.isGroup(group, in: root) else { continue }
            try await body(group)
            count += 1
            if count.isMultiple(of: Self.groupsInATurn) { await Task.yield() }
        }
    }

    /// Returns the groups that have a media directory or an index, ordered by name.
    package static func groups(in root: String) -> [AppGroupName] {
        let names = (try? FileSystem.names(in: root)) ?? []
        return names.sorted().compactMap { AppGroupName($0) }.filter { isGroup($0, in: root) }
    }

    private static func isGroup(_ group: AppGroupName, in root: String) -> Bool {
        (try? FileSystem.look(at: "\(root)/\(group)/media").kind) == .directory
            || FileSystem.isRegularFile("\(root)/\(group)/index.sqlite")
    }
}
