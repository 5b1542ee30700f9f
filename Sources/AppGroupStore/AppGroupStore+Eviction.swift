package import FoundationEssentials
import LinuxIO
package import NotificationModel

/// Eviction of media files. It works in batches: between two of them, the thread of the disk does other work.
extension AppGroupStore {
    /// Most files that are removed in one transaction.
    private static let batchSize = 64

    /// Removes the files whose retention has passed, then the least recently used ones until the rest is within the
    /// quota. Leased files stay: a request that is not emitted yet needs them, or they were fetched ahead for a message
    /// that is still to come.
    package func evict(within limits: ContainerLimits, at now: Date) async -> EvictionReport {
        var report = EvictionReport()
        let date = now.addingTimeInterval(-limits.retention.seconds)
        for group in unreconciled { await reconcile(group, at: now) }
        for group in groups() {
            await attempt(group) {
                var position = ContainerIndex.EvictionPosition.start
                while true {
                    let evicted = try self.evictBatch(
                        of: group, after: position, usedBefore: date, enough: .max, at: now)
                    report.expiredFiles += evicted.files
                    report.freedBytes += evicted.bytes
                    guard let end = evicted.end else { break }
                    position = end
                    await Task.yield()
                }
                report.keptBytes += try self.withIndex(of: group) { index in
                    try index.forgetMessages(emittedBefore: date, at: now)
                    return try index.byteCount()
                }
            }
        }
        await shrink(to: limits.quota, at: now, &report)
        return report
    }

    /// Removes the least recently used files of all groups until the rest is within the quota, or every file that is
    /// not leased has been tried once.
    private func shrink(to quota: Int, at now: Date, _ report: inout EvictionReport) async {
        var positions: [AppGroupName: ContainerIndex.EvictionPosition] = [:]
        var finished: Set<AppGroupName> = []
        var hasFailed = false
        while report.keptBytes > quota {
            var candidates: [(group: AppGroupName, use: Date)] = []
            for group in groups() where !finished.contains(group) {
                var use: Date?
                let isDone = await attempt(group) {
                    use = try self.withIndex(of: group) { index in
                        try index.oldestUse(after: positions[group, default: .start], at: now)
                    }
                }
                if let use { candidates.append((group, use)) } else { finished.insert(group) }
                if !isDone { hasFailed = true }
            }
            candidates.sort { $0.use < $1.use }
            guard let oldest = candidates.first else {
                report.excess = hasFailed ? .evictionFailed : .filesInUse
                return
            }
            // Files that another group has used less recently than these are removed before these.
            let next = candidates.dropFirst().first?.use.addingTimeInterval(1) ?? .distantFuture
            let surplus = report.keptBytes - quota
            var evicted = ContainerIndex.Evicted()
            let isDone = await attempt(oldest.group) {
                evicted = try self.evictBatch(
                    of: oldest.group, after: positions[oldest.group, default: .start], usedBefore: next,
                    enough: surplus, at: now)
            }
            report.evictedFiles += evicted.files
            report.freedBytes += evicted.bytes
            report.keptBytes -= evicted.bytes
            if !isDone || evicted.failures > 0 { hasFailed = true }
            if let end = evicted.end { positions[oldest.group] = end } else { finished.insert(oldest.group) }
            await Task.yield()
        }
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

    /// Removes a file by its path within a group. An error is reported as a warning.
    ///
    /// - Returns: whether the file is gone.
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

    /// Runs a body for one group. An error is reported as a warning, so that the other groups are still looked after.
    ///
    /// - Returns: whether the body succeeded.
    @discardableResult
    func attempt(_ group: AppGroupName, _ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            warnings.report("index of \(group)", "the media of \(group) cannot be checked for eviction: \(error)")
            return false
        }
    }

    func groups() -> [AppGroupName] { Self.groups(in: root) }

    /// Returns the groups that have a media directory or an index, in the order of their names.
    package static func groups(in root: String) -> [AppGroupName] {
        let names = (try? FileSystem.names(in: root)) ?? []
        return names.sorted().compactMap { AppGroupName($0) }
            .filter { group in
                (try? FileSystem.look(at: "\(root)/\(group)/media").kind) == .directory
                    || FileSystem.isRegularFile("\(root)/\(group)/index.sqlite")
            }
    }
}
