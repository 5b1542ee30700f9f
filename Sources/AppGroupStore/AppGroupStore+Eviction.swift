package import FoundationEssentials
import LinuxIO
import NotificationModel

/// What goes so that the rest has room. Between two steps of it the disk's thread does what else is waiting.
extension AppGroupStore {
    /// Files that go in one transaction.
    private static let step = 64

    /// Removes what is older than it is kept, then what was used least recently, until the rest is within the quota.
    /// What a request that is not emitted yet needs stays, and what was fetched ahead for a message that is to come.
    package func evict(within limits: ContainerLimits, at now: Date) async -> EvictionReport {
        var report = EvictionReport()
        let date = now.addingTimeInterval(-limits.retention.seconds)
        for group in unreconciled { await reconcile(group, at: now) }
        for group in groups() {
            await attempt(group) {
                while true {
                    let evicted = try self.evictStep(of: group, usedBefore: date, at: now)
                    report.expiredFiles += evicted.files
                    report.freedBytes += evicted.bytes
                    guard evicted.files == Self.step else { break }
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

    private func shrink(to quota: Int, at now: Date, _ report: inout EvictionReport) async {
        var stuck: Set<AppGroupName> = []
        while report.keptBytes > quota {
            let candidates = groups().filter { !stuck.contains($0) }.compactMap { group in
                (try? withIndex(of: group) { try $0.oldestUse(at: now) }).flatMap { $0 }.map { (group: group, use: $0) }
            }
            let inOrder = candidates.sorted { $0.use < $1.use }
            guard let oldest = inOrder.first else {
                report.isOverQuota = true
                return
            }
            // No further than to where the next group's turn comes.
            let next = inOrder.dropFirst().first?.use.addingTimeInterval(1) ?? .distantFuture
            let surplus = report.keptBytes - quota
            var evicted = ContainerIndex.Evicted()
            await attempt(oldest.group) {
                evicted = try self.evictStep(of: oldest.group, usedBefore: next, enough: surplus, at: now)
            }
            report.evictedFiles += evicted.files
            report.freedBytes += evicted.bytes
            report.keptBytes -= evicted.bytes
            // Files that cannot be removed must not be tried for ever.
            if evicted.files == 0 { stuck.insert(oldest.group) }
            await Task.yield()
        }
    }

    private func evictStep(
        of group: AppGroupName, usedBefore date: Date = .distantFuture, enough: Int = .max, at now: Date
    ) throws -> ContainerIndex.Evicted {
        try withIndex(of: group) { index in
            try index.evict(Self.step, usedBefore: date, enough: enough, at: now) { path in
                do throws(SystemError) {
                    try FileSystem.remove("\(root)/\(group)/\(path)")
                    return true
                } catch {
                    if error.isNoSuchFile { return true }
                    warnings.report("remove", "\(group)/\(path) cannot be removed: \(error.reason)")
                    return false
                }
            }
        }
    }

    /// One group that cannot be looked after is no reason to leave the others alone.
    func attempt(_ group: AppGroupName, _ body: () async throws -> Void) async {
        do { try await body() } catch {
            warnings.report("index of \(group)", "the media of \(group) cannot be looked after: \(error)")
        }
    }

    /// Those that have media.
    func groups() -> [AppGroupName] {
        let names = (try? FileSystem.names(in: root)) ?? []
        return names.sorted().compactMap { AppGroupName($0) }
            .filter { (try? FileSystem.look(at: "\(root)/\($0)/media").kind) == .directory }
    }
}
