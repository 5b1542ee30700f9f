import LinuxIO
import NotificationModel

/// Makes the nameless files that downloads and renditions are written to, on the group's own file system.
///
/// Whoever writes them makes them, on the same thread: to make one takes as long as to write to one, and no fsync is
/// waited for.
final class ScratchFolder: Sendable {
    private let root: String
    /// Folders that are there.
    private let known = Guarded<[AppGroupName: String]>([:])

    init(root: String) { self.root = root }

    func file(in group: AppGroupName) throws(MediaFailure) -> MediaFile {
        do throws(SystemError) {
            // Whoever comes meanwhile waits for the folder.
            let folder = try known.withLock { known throws(SystemError) in
                if let folder = known[group] { return folder }
                let folder = "\(root)/\(group)"
                try FileSystem.makeFolder(folder)
                known[group] = folder
                return folder
            }
            return try AnonymousFile.create(in: folder)
        } catch {
            known.withLock { _ = $0.removeValue(forKey: group) }
            throw MediaFailure(
                error.isOutOfDescriptors ? .overloaded : .storageFailed,
                "no file can be made in the container: \(error)")
        }
    }
}
