package import FoundationEssentials
import LinuxIO
import NotificationModel

/// The reconciliation of the index of a group with its files, after a start and after an index was replaced. A crash, a
/// power cut or a person may have changed one of the two without the other.
extension AppGroupStore {
    /// Checks and reconciles all groups.
    package func reconcile(at now: Date) async {
        await forEachGroup { group in
            guard !Task.isCancelled else { return }
            await self.withLockedIndex(of: group) {
                await self.attempt(group) { try await self.checkIndex(of: group) }
                await self.reconcile(group, at: now)
            }
        }
    }

    /// Reconciles one group, shard by shard. The thread of the disk does other work between two shards.
    func reconcile(_ group: AppGroupName, at now: Date) async {
        var isDone = false
        await attempt(group) {
            try await self.withLockedIndex(of: group) { try await self.insertMissingRows(of: group, at: now) }
            isDone = true
        }
        if !isDone { unreconciled.insert(group) }
    }

    private func insertMissingRows(of group: AppGroupName, at now: Date) async throws {
        // An index that is replaced while it is opened gets its rows in the loop below. An index that is replaced later
        // inserts its group into `unreconciled` again.
        try withIndex(of: group) { _ in }
        unreconciled.remove(group)
        let media = "\(root)/\(group)/media"
        for shard in try FileSystem.names(in: media).filter(MediaShard.isName).sorted() {
            let found = try MediaShard.files(in: shard, of: media, removingPartsBefore: now)
            try withIndex(of: group) { try $0.reconcile(shard: shard, with: found, at: now) }
            try await pause()
        }
    }
}
