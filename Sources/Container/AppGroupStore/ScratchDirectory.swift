import LinuxIO
import NotificationModel

/// The source of the nameless files of downloads and renditions, on the file system of the group or in memory.
///
/// The thread that writes a file also creates it. Creating a file takes as long as one write, and waits for no fsync.
struct ScratchDirectory: Sendable {
    let root: String

    /// Returns a file in memory, for a still image.
    ///
    /// A worker's output is copied when it is stored. Creating and deleting a file on the disk costs more than copying
    /// an image. The 99th percentile of notification latency during warming was 20.1 ms with files on the disk. The
    /// percentile was 15.2 ms with files in memory (`beside-bench`).
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
                // The first file of a group creates its directory.
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
