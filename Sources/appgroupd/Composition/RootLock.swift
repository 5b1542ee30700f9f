import AppGroupStore
import LinuxIO

/// One daemon a root: the root folder, made where it is missing, and the lock on it for as long as this lives.
final class RootLock: Sendable {
    private let lock: FileLock

    /// - Parameter group: of users who may read what is written; `nil` leaves it as it is.
    /// - Throws: with status 2 where the folder cannot be used, with status 1 where another daemon has it.
    init(root: String, group: String?) throws(CommandFailure) {
        let own = "\(root)/\(RequestJournal.directoryName)"
        do throws(SystemError) {
            try FileSystem.makeDirectories(root, durably: true)
            if let identifier = group.flatMap(UserGroup.identifier) { try Self.hand(root, to: identifier) }
            try FileSystem.makeDirectory(own)
            // Nobody else's: the journal holds the payloads of all groups.
            try FileSystem.setMode(0o700, of: own)
        } catch {
            throw CommandFailure(
                .usage, "--root \(root): \(error.reason): name a directory that this user can write to")
        }
        do throws(FileLock.Failure) { lock = try FileLock.take(own + "/lock") } catch {
            throw CommandFailure(.failed, "--root \(root): \(error): end that process, or name another root")
        }
    }

    /// New files and folders get the group of the folder that they are made in (inode(7), the set-group-ID bit).
    private static func hand(_ root: String, to group: UInt32) throws(SystemError) {
        try FileSystem.setGroup(group, of: root)
        try FileSystem.setMode(0o2750, of: root)
    }
}
