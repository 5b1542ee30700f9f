import AppGroupStore
import FoundationEssentials
import GRDB
import HTTPCaching
import LinuxIO
import NotificationModel
import SQLiteFiles

/// A repairer of damage in a root, in separate transactions, for each of which a daemon waits milliseconds.
struct StoreRepairer {
    let root: String
    let now: Date
    let hasDaemon: Bool

    /// Repairs damage in a group, or else in the HTTP cache, and returns whether it is repaired.
    func repair(_ repair: StoreRepair, in group: AppGroupName?) -> Bool {
        do { return try group.map { try self.repair(repair, in: $0) } ?? repairCache(repair) } catch { return false }
    }

    // MARK: Repairs of the HTTP cache

    private func repairCache(_ repair: StoreRepair) throws -> Bool {
        let bodies = CacheBodies(root: root)
        let path = bodies.directory + "/index.sqlite"
        switch repair {
        case .forgetResponse(let id, let file):
            try withCacheIndex(path) { try $0.execute(sql: "DELETE FROM response WHERE id = ?", arguments: [id]) }
            if let file, CacheBodies.isName(file) { try Self.remove(bodies.path(of: file)) }
        case .recountResponse(let id, let bytes):
            try withCacheIndex(path) {
                try $0.execute(sql: "UPDATE response SET bytes = ? WHERE id = ?", arguments: [bytes, id])
            }
        case .recountTotals:
            try withCacheIndex(path) { database in
                let counted = try CacheIndex.counted(database)
                try database.execute(
                    sql: "UPDATE total SET entries = ?, bytes = ?", arguments: [counted.entries, counted.bytes])
            }
        case .removeBody(let path): try Self.remove(path)
        case .removeCache:
            // A daemon has the index open, and replaces it when it finds the damage.
            guard !hasDaemon else { return false }
            try CacheIndex.remove(path)
            for shard in CacheBodies.shards { bodies.removeAll(of: shard) }
        default: return false
        }
        return true
    }

    private func withCacheIndex(_ path: String, _ body: (Database) throws -> Void) throws {
        let index = try CacheIndex(path: path)
        defer { index.close() }
        try index.database.write(body)
    }

    // MARK: Repairs of the containers

    private func repair(_ repair: StoreRepair, in group: AppGroupName) throws -> Bool {
        let directory = "\(root)/\(group)"
        switch repair {
        case .removeMedia(let path): try Self.remove("\(directory)/\(path)")
        case .replaceIndex: return try replaceIndex(of: group)
        case .forgetAsset(let digest, let path):
            try withIndex(of: group) { database in
                if let path { try Self.remove("\(directory)/\(path)") }
                try database.execute(sql: "DELETE FROM asset WHERE sha256 = ?", arguments: [digest])
            }
        case .correctAsset(let file):
            try withIndex(of: group) { database in
                guard FileSystem.size(of: "\(directory)/\(file.path)") == file.byteCount else { return }
                try ContainerIndex.insert(file, in: database)
            }
        case .removeDanglingRows:
            try withIndex(of: group) { database in try ContainerIndex.removeDanglingRows(in: database) }
        default: return false
        }
        return true
    }

    private func withIndex(of group: AppGroupName, _ body: (Database) throws -> Void) throws {
        let index = try ContainerIndex(path: "\(root)/\(group)/index.sqlite")
        defer { try? index.database.close() }
        try index.database.write(body)
    }

    /// Renames a damaged index, and makes a new one from the files. An index of an earlier version is migrated instead.
    private func replaceIndex(of group: AppGroupName) throws -> Bool {
        // A daemon has the index open, and replaces it when it finds the damage.
        guard !hasDaemon else { return false }
        let path = "\(root)/\(group)/index.sqlite"
        var index = try ContainerIndex.open(path, warn: { _ in })
        defer { try? index.database.close() }
        do { try index.database.read(DatabaseDamage.check) } catch  where DatabaseDamage.isDamage(error) {
            index = try index.replaced(because: error, warn: { _ in })
        }
        let media = "\(root)/\(group)/media"
        for shard in try FileSystem.names(in: media).filter(MediaShard.isName).sorted() {
            let found = try MediaShard.files(in: shard, of: media, removingPartsBefore: now)
            try index.reconcile(shard: shard, with: found, at: now)
        }
        return true
    }

    private static func remove(_ path: String) throws(SystemError) {
        do throws(SystemError) { try FileSystem.remove(path) } catch  where error.isNoSuchFile {}
    }
}

extension ContainerIndex {
    fileprivate static func removeDanglingRows(in database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM rendition WHERE sha256 NOT IN (SELECT sha256 FROM asset);
                DELETE FROM pin WHERE sha256 NOT IN (SELECT sha256 FROM asset);
                DELETE FROM messageAsset
                    WHERE sha256 NOT IN (SELECT sha256 FROM asset) OR messageId NOT IN (SELECT id FROM message);
                """)
    }
}
