import LinuxIO
import NotificationModel

/// The result of opening a path where a stored file should be. Links are not followed.
enum FileLook {
    case missing
    /// The path is a link, a directory, a FIFO or a device.
    case otherKind
    case unreadable(SystemError)
    /// - Parameter byteCount: The size of the file, in bytes.
    case file(MediaFile, byteCount: Int)

    init(at path: String) throws(SystemError) {
        do throws(SystemError) {
            guard try FileSystem.look(at: path).kind == .regular else {
                self = .otherKind
                return
            }
            let file = try FileSystem.openForReading(path)
            self = .file(file, byteCount: try FileSystem.size(of: file))
        } catch  where error.isNoSuchFile || error.isNoDirectory {
            self = .missing
        } catch  where error.isOutOfDescriptors {
            throw error
        } catch {
            self = .unreadable(error)
        }
    }
}
