import Base
package import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel

/// The lookup of renditions that the container holds already. A lookup leases the files before it checks them, so that
/// eviction does not remove a file that has passed the check.
extension AppGroupStore {
    package nonisolated func find(
        _ keys: [StoredMediaKey], in group: AppGroupName, until date: Date
    ) async -> StoredRenditions? {
        // Most media items have no pin, and their lookup then needs neither the thread of the disk nor the index.
        let keys = keys.filter { key in
            guard case .pinned(let key) = key else { return true }
            return pins.withLock { $0.mayHold(key, in: group, at: .now) } != false
        }
        return keys.isEmpty ? nil : await lookUp(keys, in: group, until: date)
    }

    private func lookUp(
        _ keys: [StoredMediaKey], in group: AppGroupName, until date: Date
    ) async -> StoredRenditions? {
        for case .prefetched(let key) in keys { await writeMessages(of: key.providerID, in: group) }
        // A lookup in a group without an index must not create the index.
        guard open.contains(group) || FileSystem.size(of: "\(root)/\(group)/index.sqlite") != nil else {
            pins.withLock { $0.set([], of: group, dataVersion: nil, at: .now) }
            return nil
        }
        do {
            return try withIndex(of: group) { index in
                for key in keys {
                    if let found = try find(key, by: index, in: group, until: date) { return found }
                }
                return nil
            }
        } catch {
            warnings.report("find", "the index of \(group) cannot be read: \(error)")
            return nil
        }
    }

    private func find(
        _ key: StoredMediaKey, by index: ContainerIndex, in group: AppGroupName, until date: Date
    ) throws -> StoredRenditions? {
        switch key {
        case .prefetched(let key):
            guard let found = try index.kept(key) else { return nil }
            return try lease(found.assets, by: index, in: group, until: date) ? found : nil
        case .pinned(let key):
            try refreshPins(of: group, from: index)
            guard pins.withLock({ $0.mayHold(key, in: group, at: .now) }) == true,
                let pinned = try index.pinned(key, at: now())
            else { return nil }
            // A file that is pinned until after the date needs no lease.
            let isSafe =
                pinned.until < date.addingTimeInterval(Self.grace)
                ? try lease(pinned.media.assets, by: index, in: group, until: date)
                : areThere(pinned.media.assets, in: group)
            return isSafe ? pinned.media : nil
        case .made(let key):
            let container = try AppGroupContainer(root: root, group: group)
            guard let found = try index.renditions(key),
                try lease(found.assets, by: index, in: group, until: date), found.assets.allSatisfy(container.isWhole)
            else { return nil }
            return found
        }
    }
}

/// The files of named messages, which are shown long after their request. Their leases are extended by their paths.
extension AppGroupStore: FileHolding {
    package func hold(_ paths: [String], in group: AppGroupName, until date: Date) async -> Bool {
        guard !paths.isEmpty else { return true }
        do {
            let areHeld = try withIndex(of: group) { try $0.hold(paths, until: Self.endOfHold(until: date)) }
            // The leases are written first, so that eviction does not remove a file that has passed this check.
            return areHeld && paths.allSatisfy { FileSystem.size(of: "\(root)/\(group)/\($0)") != nil }
        } catch {
            warnings.report("hold", "files in the index of \(group) cannot be leased: \(error)")
            return false
        }
    }
}

extension ContainerIndex {
    /// Extends the leases of files. A lease is never shortened.
    ///
    /// - Returns: `false` if a file has no row.
    func hold(_ paths: [String], until date: Date) throws -> Bool {
        try database.write { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE asset SET heldUntil = max(heldUntil, ?) WHERE sha256 = ? AND path = ?")
            var areHeld = true
            for path in paths {
                // The name of a file is the digest of its bytes, which is the key of its row.
                let digest = path.split(separator: "/").last?.split(separator: ".").first.map(String.init)
                try statement.execute(arguments: [Int(Self.seconds(of: date)), digest, path])
                areHeld = areHeld && database.changesCount > 0
            }
            return areHeld
        }
    }
}
