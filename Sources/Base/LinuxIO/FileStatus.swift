package import FoundationEssentials
import Glibc

/// The kernel's facts about a file (stat(2)).
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case regular
        case directory
        case symbolicLink
        /// A FIFO, a socket or a device.
        case other
    }

    package let kind: Kind
    /// The inode number. No other file of the file system has it as long as this file exists.
    package let number: UInt
    package let byteCount: Int
    /// The number of names of the file.
    package let linkCount: Int
    /// The time from 1970 to the last change of the bytes, the name, the owner or the mode, to the nanosecond. Only the
    /// kernel can set it.
    package let changed: Duration
    /// The time from 1970 to the last write, to the nanosecond. The owner of the file can set it.
    package let modified: Duration

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .symbolicLink
            default: .other
            }
        number = status.st_ino
        byteCount = Int(status.st_size)
        linkCount = Int(status.st_nlink)
        changed = .seconds(status.st_ctim.tv_sec) + .nanoseconds(status.st_ctim.tv_nsec)
        modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
    }

    package var changeDate: Date { Self.date(changed) }
    package var modificationDate: Date { Self.date(modified) }

    private static func date(_ duration: Duration) -> Date {
        let (seconds, attoseconds) = duration.components
        return Date(timeIntervalSince1970: Double(seconds) + Double(attoseconds) / 1e18)
    }
}

/// The identity of a file under any of its names: its device and its inode (stat(2)).
package struct FileIdentity: Sendable, Equatable {
    private let device: UInt
    private let inode: UInt

    /// Reads the identity of a file. Throws `ENOENT` if the path leads to no file.
    package init(of path: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        device = status.st_dev
        inode = status.st_ino
    }
}

extension FileSystem {
    /// Returns the status of the name itself, also of a symbolic link. Throws `ENOENT` if the name does not exist.
    package static func look(at path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .last("lstat \(path)") }
        return FileStatus(status)
    }

    /// Returns the status of the file to which symbolic links lead. Throws `ENOENT` if the file does not exist.
    package static func look(through path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        return FileStatus(status)
    }
}
