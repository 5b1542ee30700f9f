package import FoundationEssentials
import Glibc

/// What the kernel knows of a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case regular
        case directory
        case symbolicLink
        /// A FIFO, a socket, a device.
        case other
    }

    package let kind: Kind
    /// Its inode's, which no other file of the file system has while it is there.
    package let number: UInt
    package let byteCount: Int
    /// How many names the file has.
    package let linkCount: Int
    /// Since 1970, to the nanosecond: when the bytes, the name, the owner or the mode was changed last. Nobody but the
    /// kernel can set it.
    package let changed: Duration
    /// Since 1970, to the nanosecond: when the bytes were written last. Owners can set it.
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

/// The identity of a file, whatever names it has: its device and its inode (stat(2)).
package struct FileIdentity: Sendable, Equatable {
    private let device: UInt
    private let inode: UInt

    /// - Throws: `ENOENT` if the path leads to no file.
    package init(of path: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        device = status.st_dev
        inode = status.st_ino
    }
}

extension FileSystem {
    /// Of the name itself, not of what a symbolic link leads to.
    ///
    /// - Throws: `ENOENT` where there is no such name.
    package static func look(at path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .last("lstat \(path)") }
        return FileStatus(status)
    }

    /// Of what the name leads to, through symbolic links.
    ///
    /// - Throws: `ENOENT` where there is no such file.
    package static func look(through path: String) throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        return FileStatus(status)
    }

    /// When the file was changed or renamed last (`ctime`).
    package static func changeDate(of path: String) throws(SystemError) -> Date { try look(at: path).changeDate }
}
