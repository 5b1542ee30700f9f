import FeatureKit
import LinuxIO
import RequestJournal

/// The lock of a root, which prevents a second daemon on the same root. The root is created if it is missing. The lock
/// is held for as long as this object exists.
final class RootLock: Sendable {
    private let lock: FileLock

    /// Creates and locks the root.
    ///
    /// - Parameter group: The group of users that may read the files; `nil` if the group is not changed.
    /// - Throws: A failure with status 2 if the directory cannot be used, and with status 1 if another daemon has
    ///   locked it.
    init(root: String, group: String?) throws(CommandFailure) {
        let own = "\(root)/\(RequestJournal.directoryName)"
        do throws(SystemError) {
            try FileSystem.makeDirectories(root, durably: true)
            if let identifier = group.flatMap(UserGroup.identifier) { try Self.hand(root, to: identifier) }
            try FileSystem.makeDirectory(own)
            // Only the daemon's user may read the directory, because the journal has the payloads of all groups.
            try FileSystem.setMode(0o700, of: own)
        } catch {
            throw CommandFailure(
                .usage, "--root \(root): \(error.reason): name a directory that this user can write to")
        }
        do throws(FileLock.Failure) { lock = try FileLock.take(RequestJournal.lock(in: root)) } catch {
            throw CommandFailure(.failed, "--root \(root): \(error): end that process, or name another root")
        }
    }

    /// Gives the root to a group of users. New files and directories get the group of the directory in which they are
    /// created (inode(7), the set-group-ID bit).
    private static func hand(_ root: String, to group: UInt32) throws(SystemError) {
        try FileSystem.setGroup(group, of: root)
        try FileSystem.setMode(0o2750, of: root)
    }
}
