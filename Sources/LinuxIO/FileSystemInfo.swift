import CLinuxShims
import Glibc

/// A folder, and the file system that it is on.
package struct FileSystemInfo: Sendable, Equatable {
    /// The owner's number.
    package let owner: UInt32
    /// The number of its group of users.
    package let group: UInt32
    /// The permission bits.
    package let mode: UInt32
    package let fileSystem: FileSystemKind
    /// What this user may still write.
    package let freeBytes: UInt64
    /// `nil` where the file system does not count them.
    package let freeFiles: UInt64?

    /// - Throws: `ENOENT` where there is no such name, `ENOTDIR` where it is no folder's.
    package static func of(_ path: String) throws(SystemError) -> FileSystemInfo {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("stat \(path)", errno: ENOTDIR) }
        var space = statvfs()
        guard unsafe statvfs(path, &space) == 0 else { throw .last("statvfs \(path)") }
        let type = unsafe agd_file_system_type(path)
        return FileSystemInfo(
            owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777,
            fileSystem: FileSystemKind(magic: type),
            freeBytes: UInt64(space.f_bavail) * UInt64(space.f_frsize),
            freeFiles: space.f_files == 0 ? nil : UInt64(space.f_favail))
    }

    /// Whether this user may make names in it.
    package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK | X_OK) == 0 }
}

/// What a file system promises, by its magic number (statfs(2), linux/magic.h).
package struct FileSystemKind: Sendable, Equatable {
    package enum Home: Sendable, Equatable {
        /// A disk of this machine, as far as the kernel tells.
        case local
        /// Gone with the machine's next start.
        case memory
        /// Gone with the container.
        case container
        /// Another machine's, or a program's: locks and syncing are as good as theirs.
        case elsewhere
    }

    package let name: String
    package let home: Home

    init(magic: Int64) {
        (name, home) =
            switch magic {
            case 0xEF53: ("ext4", .local)
            case 0x5846_5342: ("xfs", .local)
            case 0x9123_683E: ("btrfs", .local)
            case 0xF2F5_2010: ("f2fs", .local)
            case 0x2FC1_2FC1: ("zfs", .local)
            case 0x0102_1994: ("tmpfs", .memory)
            case 0x8584_58F6: ("ramfs", .memory)
            case 0x794C_7630: ("overlay", .container)
            case 0x6969: ("nfs", .elsewhere)
            case 0xFF53_4D42, 0xFE53_4D42, 0x517B: ("smb", .elsewhere)
            case 0x6573_5546: ("fuse", .elsewhere)
            case 0x0102_1997: ("9p", .elsewhere)
            case 0x00C3_6400: ("ceph", .elsewhere)
            case 0x0116_1970: ("gfs2", .elsewhere)
            default: ("type 0x\(String(magic, radix: 16))", .local)
            }
    }
}
