import CLinuxShims
import Glibc

/// The facts about a directory and its file system.
package struct FileSystemInfo: Sendable, Equatable {
    /// The user identifier of the owner.
    package let owner: UInt32
    /// The group identifier of the directory.
    package let group: UInt32
    /// The permission bits of the directory, 0…0o7777.
    package let mode: UInt32
    package let fileSystem: FileSystemKind
    /// The number of bytes that this user may still write.
    package let freeBytes: UInt64
    /// The number of files that this user may still create; `nil` if the file system does not count them.
    package let freeFiles: UInt64?

    /// Returns the facts about a directory. Throws `ENOENT` if it does not exist, `ENOTDIR` if it is no directory.
    package static func of(_ path: String) throws(SystemError) -> FileSystemInfo {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw .last("stat \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("stat \(path)", errno: ENOTDIR) }
        var space = statvfs()
        guard unsafe statvfs(path, &space) == 0 else { throw .last("statvfs \(path)") }
        let type = unsafe agd_file_system_type(path)
        return FileSystemInfo(
            owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777,
            fileSystem: FileSystemKind(magic: type), freeBytes: UInt64(space.f_bavail) * UInt64(space.f_frsize),
            freeFiles: space.f_files == 0 ? nil : UInt64(space.f_favail))
    }

    /// Returns whether this user may create names in a directory.
    package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK | X_OK) == 0 }
}

/// The properties of a file system, by its magic number (statfs(2), linux/magic.h).
package struct FileSystemKind: Sendable, Equatable {
    package enum Home: Sendable, Equatable {
        /// The file system is on a disk of this machine, as far as the kernel knows.
        case local
        /// The files are lost when the machine restarts.
        case memory
        /// The files are lost with the container.
        case container
        /// The files are on another machine, or are provided by a program (FUSE). Locks and syncing are only as
        /// reliable as that machine or program.
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
