import Base
import FoundationEssentials
import GRDB
import LinuxIO
package import NotificationModel
import SQLiteFiles

/// The erasure of messages from the index of a container, with the files that no other message shows.
extension AppGroupStore: Erasable {
    package static var erasedPlaces: [String] {
        ["index.sqlite/message", "index.sqlite/messageAsset", "index.sqlite/asset", "index.sqlite/rendition", "media"]
    }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        let group = step.target.group
        await writeMessages()
        guard hasIndex(of: group) else { return ErasureCounts() }
        return try await withLockedIndex(of: group) { () throws(MediaFailure) in
            do {
                return try withIndex(of: group) { index in
                    let ids =
                        step.isLast && step.target.kind == .group
                        ? try index.messageIDs(atMost: Self.erasedAtOnce) : step.keys.map(\.id.description)
                    return try index.erase(ids) { removeMedia($0, of: group) }
                }
            } catch {
                throw MediaFailure(.storageFailed, "the messages of \(group) cannot be erased: \(error)")
            }
        }
    }

    /// The number of messages that one step of the erasure of a group removes.
    private static let erasedAtOnce = 200

    package func scrub(_ group: AppGroupName) async throws(MediaFailure) -> Bool {
        guard hasIndex(of: group) else { return true }
        var scrub = PageScrub()
        while true {
            let step = try await withLockedIndex(of: group) { () throws(MediaFailure) in
                do { return try withIndex(of: group) { try $0.scrub(&scrub) } } catch {
                    throw MediaFailure(.storageFailed, "the index of \(group) cannot be cleaned: \(error)")
                }
            }
            switch step {
            case .done: return true
            case .waits: return false
            case .goesOn: await Task.yield()
            }
        }
    }

    func hasIndex(of group: AppGroupName) -> Bool {
        FileSystem.isRegularFile("\(root)/\(group)/index.sqlite")
    }
}

extension ContainerIndex {
    func messageIDs(atMost count: Int) throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "SELECT id FROM message LIMIT ?", arguments: [count]) }
    }

    /// Removes messages, and the files that no other message and no pin has. All changes are one transaction. `remove`
    /// removes a file by its path within the group, and returns `false` if the file cannot be removed.
    func erase(_ ids: [String], remove: (String) -> Bool) throws -> ErasureCounts {
        try database.write { database in
            var (counts, digests): (ErasureCounts, Set<String>) = (ErasureCounts(), [])
            let shown = try database.cachedStatement(sql: "SELECT sha256 FROM messageAsset WHERE messageId = ?")
            let message = try database.cachedStatement(sql: "DELETE FROM message WHERE id = ?")
            for id in ids {
                digests.formUnion(try String.fetchAll(shown, arguments: [id]))
                try message.execute(arguments: [id])
                counts.messages += database.changesCount
            }
            for digest in digests {
                switch try Self.eraseFile(digest, in: database, remove: remove) {
                case .removed: counts.mediaFiles += 1
                case .shared: counts.sharedFiles += 1
                case .failed: throw UnremovedFile(digest: digest)
                }
            }
            return counts
        }
    }

    private enum FileEnd { case removed, shared, failed }

    private struct UnremovedFile: Error, CustomStringConvertible {
        let digest: String
        var description: String { "the file \(digest) cannot be removed" }
    }

    private static func eraseFile(
        _ digest: String, in database: Database, remove: (String) -> Bool
    ) throws -> FileEnd {
        let others = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM messageAsset WHERE sha256 = ?)
                    OR EXISTS (SELECT 1 FROM pin WHERE sha256 = ?)
                """)
        if try Bool.fetchOne(others, arguments: [digest, digest]) == true { return .shared }
        let asset = try database.cachedStatement(sql: "SELECT sha256, path FROM asset WHERE sha256 = ?")
        guard let row = try Row.fetchOne(asset, arguments: [digest]) else { return .removed }
        guard remove(try row.mediaPath()) else { return .failed }
        try database.cachedStatement(sql: "DELETE FROM asset WHERE sha256 = ?").execute(arguments: [digest])
        return .removed
    }

    /// Removes old bytes from the next pages.
    func scrub(_ scrub: inout PageScrub) throws -> PageScrub.Step {
        try database.writeWithoutTransaction { try scrub.step(in: $0) }
    }
}
