import LinuxIO
import NotificationModel

/// Makes the nameless files that downloads and renditions are written to, on the group's own file system or in memory.
///
/// Whoever writes them makes them, on the same thread: to make one takes as long as to write to one, and no fsync is
/// waited for.
final class ScratchDirectory: Sendable {
    private let root: String
    /// Folders that are there.
    private let known = Guarded<[AppGroupName: String]>([:])

    init(root: String) { self.root = root }

    /// A file in memory, for a still picture.
    ///
    /// A worker's output is copied when it is stored. To make and to delete a file on the disk costs more than the copy of
    /// a picture: beside warming, the 99th percentile of notifications' latency was 20.1 ms with files on the disk and
    /// 15.2 ms with files in memory (`beside-bench`).
    func memoryFile() throws(MediaFailure) -> MediaFile {
        do throws(SystemError) {
            return try AnonymousFile.createInMemory()
        } catch {
            throw MediaFailure(
                error.isOutOfDescriptors ? .overloaded : .storageFailed, "no file can be created in memory: \(error)")
        }
    }

    func file(in group: AppGroupName) throws(MediaFailure) -> MediaFile {
        do throws(SystemError) {
            // Whoever comes meanwhile waits for the folder.
            let directory = try known.withLock { known throws(SystemError) in
                if let directory = known[group] { return directory }
                let directory = "\(root)/\(group)"
                try FileSystem.makeDirectory(directory)
                known[group] = directory
                return directory
            }
            return try AnonymousFile.create(in: directory)
        } catch {
            known.withLock { _ = $0.removeValue(forKey: group) }
            throw MediaFailure(
                error.isOutOfDescriptors ? .overloaded : .storageFailed,
                "no file can be created in the container: \(error)")
        }
    }
}
