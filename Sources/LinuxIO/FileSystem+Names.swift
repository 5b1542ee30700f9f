import CLinuxShims
import Glibc
package import NotificationModel

extension SystemError {
    /// Another file has the name.
    package var isNameTaken: Bool { errno == EEXIST }
}

/// What names are given, moved and taken away. None of it is durable before the folder is synced.
extension FileSystem {
    /// Renames a file in one step, never replacing another one.
    ///
    /// - Throws: `EEXIST` when the name is taken, `ENOENT` when there is no such file, `EXDEV` across file systems.
    package static func move(_ path: String, to newPath: String) throws(SystemError) {
        if unsafe agd_rename_new(path, newPath) == 0 { return }
        let error = SystemError.last("rename \(path)")
        guard error.errno == EINVAL || error.errno == ENOSYS else { throw error }
        try moveByLinking(path, to: newPath)
    }

    /// The same in two steps, for file systems that know no other way (NFS, for one). In between the file has both names.
    package static func moveByLinking(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe link(path, newPath) == 0 else { throw .last("link \(path)") }
        guard unsafe unlink(path) == 0 else { throw .last("unlink \(path)") }
    }

    /// Renames a file in one step, replacing what has the new name.
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, newPath) == 0 else { throw .last("rename \(path)") }
    }

    /// Takes a file's name away; a folder is an error.
    ///
    /// - Throws: `ENOENT` where there is no such file.
    package static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 else { throw .last("unlink \(path)") }
    }

    /// Writes a file that nobody else looks at, mode 0640 less the umask, in place of what has the name. Neither durable
    /// nor in one step.
    package static func write(_ bytes: [UInt8], toFile path: String) throws(SystemError) {
        let file = try OwnedDescriptor.adopt(
            unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640), from: "open \(path)")
        try write(bytes[...], to: file.raw)
    }

    /// Makes everything durable on the file system that a folder is on: one call for many files.
    package static func syncFileSystem(of directory: String) throws(SystemError) {
        let descriptor = try OwnedDescriptor.adopt(
            unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open \(directory)")
        guard agd_sync_file_system(descriptor.raw) == 0 else { throw .last("syncfs \(directory)") }
    }

    // MARK: Who may read it

    /// - Parameter mode: permission bits, 0…0o7777.
    package static func setMode(_ mode: UInt32, of path: String) throws(SystemError) {
        guard unsafe chmod(path, mode) == 0 else { throw .last("chmod \(path)") }
    }

    /// - Parameter mode: permission bits, 0…0o7777.
    package static func setMode(_ mode: UInt32, of file: MediaFile) throws(SystemError) {
        guard fchmod(file.descriptor, mode) == 0 else { throw .last("fchmod") }
    }

    /// Gives a file to a group; its owner stays. Only a member of the group may (or root).
    package static func setGroup(_ group: UInt32, of path: String) throws(SystemError) {
        guard unsafe chown(path, uid_t.max, group) == 0 else { throw .last("chown \(path)") }
    }

    /// Writes a file as a whole, durable. It has its name only then, so that nothing is left where it is broken off; what
    /// has the name is replaced.
    package static func create(_ path: String, in directory: String, with bytes: [UInt8]) throws(SystemError) {
        let file = try AnonymousFile.create(in: directory)
        guard file.isLinkable else { return try replace(path, with: bytes) }
        try write(bytes[...], to: file.descriptor)
        try sync(file)
        do throws(SystemError) {
            try AnonymousFile.link(file, to: path)
        } catch  where error.isNameTaken {
            try replace(path, with: bytes)
        }
    }
}
