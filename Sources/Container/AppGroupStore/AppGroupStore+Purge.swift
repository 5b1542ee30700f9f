package import NotificationModel

/// The part of a purge that removes files from the containers.
extension AppGroupStore {
    /// The number of files that are removed in one transaction.
    private static let purgeBatch = 64

    /// Returns the ids of the responses from which the files of a purge were made, in all groups.
    package func sources(of purge: ContainerIndex.Purge) async throws(MediaFailure) -> Set<String> {
        var identities: Set<String> = []
        await writeMessages()
        try await forEachGroup { group throws(MediaFailure) in
            try await self.withLockedIndex(of: group) { () throws(MediaFailure) in
                let recent = self.recentFiles.digests(in: group, isPurged: purge.isPurged)
                try self.asked(of: group) { identities.formUnion(try $0.files(of: purge, and: recent).identities) }
            }
        }
        return identities
    }

    /// Removes the files of a purge in all groups. The thread of the disk does other work between two batches. Throws
    /// `storage-failed` if an index or a file could not be changed.
    package func purge(_ purge: ContainerIndex.Purge) async throws(MediaFailure) -> ContainerIndex.Purged {
        var purged = ContainerIndex.Purged()
        await writeMessages()
        try await forEachGroup { group throws(MediaFailure) in
            try await self.withLockedIndex(of: group) { () throws(MediaFailure) in
                try await self.purge(purge, in: group, &purged)
            }
        }
        // The pins of the removed files were deleted with them.
        forgetPinSum()
        guard purged.failures == 0 else {
            throw MediaFailure(.storageFailed, "\(purged.failures) files cannot be removed")
        }
        return purged
    }

    private func purge(
        _ purge: ContainerIndex.Purge, in group: AppGroupName, _ purged: inout ContainerIndex.Purged
    ) async throws(MediaFailure) {
        var rest: ArraySlice<String> = []
        let recent = recentFiles.digests(in: group, isPurged: purge.isPurged)
        try asked(of: group) { rest = try $0.files(of: purge, and: recent).digests[...] }
        while !rest.isEmpty {
            try asked(of: group) { index in
                let batch = try index.purge(rest.prefix(Self.purgeBatch), by: purge) { path in
                    removeMedia(path, of: group)
                }
                purged.add(batch)
            }
            rest = rest.dropFirst(Self.purgeBatch)
            await Task.yield()
        }
    }

    package nonisolated var purgeMark: RecentPurges.Mark { purges.mark }

    /// Throws `storage-failed` for a media item that was purged after its request began.
    nonisolated func checkPurges(of provenance: MediaProvenance) throws(MediaFailure) {
        guard purges.havePurged(provenance.urls, since: provenance.mark) else { return }
        throw MediaFailure(.storageFailed, "the media item was purged while it was fetched")
    }

    /// Returns a message without the attachments whose files a purge has removed since they were stored.
    func withoutPurgedFiles(_ message: MessageRecord, in group: AppGroupName) -> MessageRecord {
        guard purges.mark > 0 else { return message }
        var message = message
        message.attachments.removeAll { !areThere($0.assets, in: group) }
        return message
    }

    private func asked(of group: AppGroupName, _ body: (ContainerIndex) throws -> Void) throws(MediaFailure) {
        do { try withIndex(of: group, body) } catch {
            throw MediaFailure(.storageFailed, "the index of \(group) cannot be used: \(error)")
        }
    }
}

extension ContainerIndex.Purged {
    mutating func add(_ other: ContainerIndex.Purged) {
        files += other.files
        bytes += other.bytes
        sharedFiles += other.sharedFiles
        failures += other.failures
        identities.formUnion(other.identities)
    }
}

/// The files that were stored last, with the URLs from which their bytes come. The type does no I/O.
///
/// The index has the URLs of a file only after its message was emitted. An earlier purge finds the file in this list.
struct RecentFiles {
    private static let most = 1_024

    private var files: [(group: AppGroupName, urls: [String], digests: [String])] = []

    mutating func add(_ assets: [StoredAsset], in group: AppGroupName, from provenance: MediaProvenance) {
        guard !provenance.urls.isEmpty else { return }
        files.append((group, provenance.urls, assets.map(\.sha256)))
        if files.count >= 2 * Self.most { files.removeFirst(Self.most) }
    }

    /// Returns the digests of the files in a group that come from a purged URL.
    func digests(in group: AppGroupName, isPurged: (String) -> Bool) -> Set<String> {
        var digests: Set<String> = []
        for file in files where file.group == group && file.urls.contains(where: isPurged) {
            digests.formUnion(file.digests)
        }
        return digests
    }
}
