import LinuxIO
import NotificationModel

/// Makes the nameless files that downloads and renditions are written to, on the group's own file system or in memory.
///
/// Each is made on the thread that writes it: that takes as long as one write, and waits for no fsync.
struct ScratchDirectory: Sendable {
    let root: String

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
        let directory = "\(root)/\(group)"
        do throws(SystemError) {
            do throws(SystemError) { return try AnonymousFile.create(in: directory) } catch  where error.isNoSuchFile {
                // The first file of a group.
                try FileSystem.makeDirectory(directory)
                return try AnonymousFile.create(in: directory)
            }
        } catch {
            throw MediaFailure(
                error.isOutOfDescriptors ? .overloaded : .storageFailed,
                "no file can be created in the container: \(error)")
        }
    }
}
