import CLinuxShims
import Glibc

/// The calls that create, move and remove names. The changes are durable only after the directory is synced.
extension FileSystem {
    /// Renames a file in one step. Throws `EEXIST` if another file has the name, which is not replaced, `ENOENT` if the
    /// file does not exist, and `EXDEV` across file systems.
    package static func move(_ path: String, to newPath: String) throws(SystemError) {
        if unsafe agd_rename_new(path, newPath) == 0 { return }
        let error = SystemError.last("rename \(path)")
        guard error.errno == EINVAL || error.errno == ENOSYS else { throw error }
        try moveByLinking(path, to: newPath)
    }

    /// Renames a file in two steps, between which it has both names, for file systems such as NFS.
    package static func moveByLinking(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe link(path, newPath) == 0 else { throw .last("link \(path)") }
        guard unsafe unlink(path) == 0 else { throw .last("unlink \(path)") }
    }

    /// Renames a file in one step, and replaces any file with the new name.
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, newPath) == 0 else { throw .last("rename \(path)") }
    }

    /// Removes the name of a file. Throws `ENOENT` if the file does not exist. A directory is an error too.
    package static func remove(_ path: String) throws(SystemError) {
        guard unsafe unlink(path) == 0 else { throw .last("unlink \(path)") }
    }

    /// Writes a file that no other process reads, with mode 0640 less the umask. The call replaces any file with the
    /// name. The file is not durable, and is not written in one step.
    package static func write(_ bytes: [UInt8], toFile path: String) throws(SystemError) {
        let file = try OwnedDescriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o640)
        try write(bytes[...], to: file.raw)
    }

    /// Makes all data durable on the file system of a directory, with one call for many files.
    package static func syncFileSystem(of directory: String) throws(SystemError) {
        let descriptor = try OwnedDescriptor.open(directory, O_RDONLY | O_DIRECTORY)
        guard agd_sync_file_system(descriptor.raw) == 0 else { throw .last("syncfs \(directory)") }
    }

    /// Sets the mode of the file at a path: the permission bits, 0…0o7777.
    package static func setMode(_ mode: UInt32, of path: String) throws(SystemError) {
        guard unsafe chmod(path, mode) == 0 else { throw .last("chmod \(path)") }
    }

    /// Sets the mode of an open file: the permission bits, 0…0o7777.
    package static func setMode(_ mode: UInt32, of file: MediaFile) throws(SystemError) {
        guard fchmod(file.descriptor, mode) == 0 else { throw .last("fchmod") }
    }

    /// Gives a file to a group, and keeps its owner. Only root or a member of the group may do this.
    package static func setGroup(_ group: UInt32, of path: String) throws(SystemError) {
        guard unsafe chown(path, uid_t.max, group) == 0 else { throw .last("chown \(path)") }
    }

    /// Removes an empty directory.
    package static func removeDirectory(_ path: String) throws(SystemError) {
        guard unsafe rmdir(path) == 0 else { throw .last("rmdir \(path)") }
    }

    /// Writes a whole file and makes it durable. The call replaces any file with the name.
    ///
    /// The file gets its name only after it is complete. If the file system supports files without a name, an
    /// interrupted call leaves no incomplete file.
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

/// A scan that reads the names in a directory step by step. A directory of a million files takes no more memory than a
/// directory of ten files.
///
/// A name that exists from the first call to the last is returned once. A name that is created or removed during the
/// scan may be returned or skipped (readdir(3)).
@safe package struct DirectoryScan: ~Copyable {
    private let stream: OpaquePointer

    /// Opens a directory for reading. Throws `ENOENT` or `ENOTDIR`.
    package static func start(_ directory: String) throws(SystemError) -> DirectoryScan {
        guard let stream = unsafe opendir(directory) else { throw .last("opendir \(directory)") }
        return unsafe DirectoryScan(stream: stream)
    }

    deinit { unsafe closedir(stream) }

    /// Returns the next names, without `.` and `..`. There are fewer names than `count` only at the end of the
    /// directory. Names that are not UTF-8 are left out.
    package mutating func next(_ count: Int) -> [String] {
        var names: [String] = []
        while names.count < count, let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
