import Glibc

/// The calls that read and write directories and files. They may block, so they belong on the disk's own loop.
package enum FileSystem {
    /// Creates a directory with mode 0750 less the umask in an existing parent, and returns whether it is new.
    @discardableResult
    package static func makeDirectory(_ path: String) throws(SystemError) -> Bool {
        if unsafe mkdir(path, 0o750) == 0 { return true }
        let error = SystemError.last("mkdir \(path)")
        guard error.errno == EEXIST, isDirectory(path) else { throw error }
        return false
    }

    /// Creates a directory and its missing parents, and optionally syncs each new name.
    package static func makeDirectories(_ path: String, durably isDurable: Bool = false) throws(SystemError) {
        var ancestor = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            let parent = ancestor.isEmpty ? "/" : ancestor
            ancestor += "/" + name
            if unsafe mkdir(ancestor, 0o750) == 0 {
                if isDurable { try syncDirectory(parent) }
                continue
            }
            let error = SystemError.last("mkdir \(ancestor)")
            // A parent may be on a read-only file system. Such a parent only has to exist.
            guard isDirectory(ancestor) else {
                throw error.errno == EEXIST ? SystemError(error.call, errno: ENOTDIR) : error
            }
        }
    }

    package static func isDirectory(_ path: String) -> Bool { (try? look(through: path).kind) == .directory }

    /// Makes the names in a directory durable.
    package static func syncDirectory(_ path: String) throws(SystemError) {
        let directory = try OwnedDescriptor.open(path, O_RDONLY | O_DIRECTORY)
        guard fsync(directory.raw) == 0 else { throw .last("fsync \(path)") }
    }

    /// Makes the bytes and the size of a file durable.
    package static func sync(_ file: MediaFile) throws(SystemError) {
        guard fsync(file.descriptor) == 0 else { throw .last("fsync") }
    }

    /// Returns the size of a file, in bytes; `nil` if the file does not exist.
    package static func size(of path: String) -> Int? { try? look(through: path).byteCount }

    package static func size(of file: MediaFile) throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw .last("fstat") }
        return Int(status.st_size)
    }

    /// Returns the path of the running program.
    package static func currentExecutable() throws(SystemError) -> String {
        guard let path = linkTarget(of: "/proc/self/exe") else { throw .last("readlink /proc/self/exe") }
        return path
    }

    /// Returns the target of a symbolic link; `nil` with `errno` if the path is no symbolic link.
    package static func linkTarget(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlink(path, base, buffer.count)
        }
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    package static func isExecutable(_ path: String) -> Bool {
        unsafe isRegularFile(path) && access(path, X_OK) == 0
    }

    package static func isRegularFile(_ path: String) -> Bool { (try? look(through: path).kind) == .regular }

    /// Returns all bytes of a file.
    package static func contents(of path: String) throws(SystemError) -> [UInt8] {
        let file = try FileReader(path)
        var contents: [UInt8] = []
        while true {
            let piece = try file.next()
            guard !piece.isEmpty else { return contents }
            contents += piece
        }
    }

    /// Returns the first line of a file. The result is `nil` if the file cannot be read.
    package static func firstLine(of path: String) -> String? {
        guard let bytes = try? contents(of: path) else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Opens a file for reading. A symbolic link is not followed. Throws `ENOENT` if the file does not exist.
    package static func openForReading(_ path: String) throws(SystemError) -> MediaFile {
        let descriptor = try OwnedDescriptor.open(path, O_RDONLY | O_NOFOLLOW).release()
        return MediaFile(descriptor: descriptor)
    }

    /// Returns the names in a directory in no particular order, without `.` and `..`.
    package static func names(in directory: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw .last("opendir \(directory)") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    package static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Returns up to `count` bytes from an offset; fewer at the end of the file. The call does not use the descriptor's
    /// position.
    package static func bytes(of file: MediaFile, at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var read = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            read = unsafe pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            initializedCount = max(0, read)
        }
        guard read >= 0 else { throw .last("pread") }
        return bytes
    }

    /// Calls `body` with the bytes of a file in order, 64 kB at a time. The allocator would map a larger buffer for
    /// each file, and the page faults of a new buffer take longer than the reading.
    package static func forEachChunk(
        of file: MediaFile, _ body: (ArraySlice<UInt8>) throws(SystemError) -> Void
    ) throws(SystemError) {
        var offset = 0
        while true {
            let chunk = try bytes(of: file, at: offset, count: 1 << 16)
            guard !chunk.isEmpty else { return }
            try body(chunk[...])
            offset += chunk.count
        }
    }

    /// Copies the bytes of a file into a new durable file. The call replaces any file with the name.
    package static func copy(_ file: MediaFile, to path: String) throws(SystemError) {
        try replace(path) { descriptor throws(SystemError) in
            try forEachChunk(of: file) { chunk throws(SystemError) in try write(chunk, to: descriptor) }
        }
    }

    /// Writes a whole file and makes it durable. A reader of an existing file gets the old bytes or the new ones.
    ///
    /// - Parameter mode: The permission bits of the file, less the umask.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o640) throws(SystemError) {
        try replace(path, mode: mode) { descriptor throws(SystemError) in try write(bytes[...], to: descriptor) }
    }

    /// Writes a file under another name, syncs it, and renames it. The caller must sync the directory.
    private static func replace(
        _ path: String, mode: UInt32 = 0o640, _ fill: (Int32) throws(SystemError) -> Void
    ) throws(SystemError) {
        let partial = path + ".part-\(UInt64.random(in: 0 ... .max))"
        let file = try OwnedDescriptor.open(partial, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
        do throws(SystemError) {
            try fill(file.raw)
            guard fsync(file.raw) == 0 else { throw .last("fsync \(partial)") }
            guard unsafe Glibc.rename(partial, path) == 0 else { throw .last("rename \(partial)") }
        } catch {
            _ = unsafe unlink(partial)
            throw error
        }
    }

    /// Creates a file that only its owner can read and write. Throws `EEXIST` if the name is taken. That file is unchanged.
    package static func create(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let file = try OwnedDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do throws(SystemError) { try write(bytes[...], to: file.raw) } catch {
            _ = unsafe unlink(path)
            throw error
        }
    }

    /// Creates an empty file with the mode of another file. If the user is root, the file also gets the owner of the
    /// other file. Throws `EEXIST` if another file has the name. That file is unchanged.
    package static func createEmpty(_ path: String, like other: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(other, &status) == 0 else { throw .last("stat \(other)") }
        let file = try OwnedDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        if geteuid() == 0, fchown(file.raw, status.st_uid, status.st_gid) != 0 { throw .last("fchown \(path)") }
        guard fchmod(file.raw, status.st_mode & 0o777) == 0 else { throw .last("fchmod \(path)") }
    }

    /// Writes all bytes at an offset, without moving the position of the file.
    package static func write(_ bytes: UnsafeRawBufferPointer, to file: MediaFile, at offset: Int) throws(SystemError) {
        var rest = unsafe bytes[...]
        var offset = offset
        while unsafe !rest.isEmpty {
            let written = unsafe pwrite(
                file.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, off_t(offset))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .last("pwrite") }
            offset += written
            unsafe rest = unsafe rest.dropFirst(written)
        }
    }

    /// Writes all bytes at an offset, without moving the position of the file.
    package static func write(_ bytes: [UInt8], to file: MediaFile, at offset: Int) throws(SystemError) {
        var failure: SystemError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SystemError) { try unsafe write(buffer, to: file, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Removes all bytes of a file after the first `count`.
    package static func truncate(_ file: MediaFile, to count: Int) throws(SystemError) {
        guard ftruncate(file.descriptor, off_t(count)) == 0 else { throw .last("ftruncate") }
    }

    /// Opens a file for reading and writing. The file is created (mode 0640 less the umask) if it does not exist.
    package static func openForUpdate(_ path: String) throws(SystemError) -> MediaFile {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw .last("open \(path)") }
        return MediaFile(descriptor: descriptor)
    }

    /// Writes all bytes at the position of the descriptor.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN {
                // The descriptor may be non-blocking, because another process that shares the pipe has changed it.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
                continue
            }
            guard written > 0 else { throw .last("write") }
            rest = rest.dropFirst(written)
        }
    }

    /// Opens /dev/null in place of each standard stream that the parent has closed. Otherwise, a file or a socket of
    /// this process could get the number of a closed stream.
    package static func fillStandardStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = unsafe open("/dev/null", O_RDWR) }
    }
}
