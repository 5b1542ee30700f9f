import Glibc
package import NotificationModel

/// Folders and files by path and by descriptor. These calls may block: they belong on the disk's own loop.
package enum FileSystem {
    /// Makes a folder, mode 0750 less the umask. Parents must exist.
    ///
    /// - Returns: whether it was made now.
    @discardableResult
    package static func makeDirectory(_ path: String) throws(SystemError) -> Bool {
        if unsafe mkdir(path, 0o750) == 0 { return true }
        let error = SystemError.last("mkdir \(path)")
        guard error.errno == EEXIST, isDirectory(path) else { throw error }
        return false
    }

    /// Makes a folder and the parents that it lacks.
    ///
    /// - Parameter isDurable: whether each new name is synced.
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
            // A parent may be on a read-only file system; it only has to be there.
            guard isDirectory(ancestor) else {
                throw error.errno == EEXIST ? SystemError(error.call, errno: ENOTDIR) : error
            }
        }
    }

    package static func isDirectory(_ path: String) -> Bool { (try? look(through: path).kind) == .directory }

    /// Makes the names in a folder durable.
    package static func syncDirectory(_ path: String) throws(SystemError) {
        let directory = try OwnedDescriptor.adopt(
            unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), from: "open \(path)")
        guard fsync(directory.raw) == 0 else { throw .last("fsync \(path)") }
    }

    /// Makes a file's bytes and size durable.
    package static func sync(_ file: MediaFile) throws(SystemError) {
        guard fsync(file.descriptor) == 0 else { throw .last("fsync") }
    }

    /// Bytes, or `nil` where there is no such file.
    package static func size(of path: String) -> Int? { try? look(through: path).byteCount }

    package static func size(of file: MediaFile) throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw .last("fstat") }
        return Int(status.st_size)
    }

    /// The path of the running program.
    package static func currentExecutable() throws(SystemError) -> String {
        guard let path = linkTarget(of: "/proc/self/exe") else { throw .last("readlink /proc/self/exe") }
        return path
    }

    /// Where a symbolic link points to; `nil` where there is none, with `errno`.
    package static func linkTarget(of path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe readlink(path, base, buffer.count)
        }
        return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
    }

    package static func isExecutable(_ path: String) -> Bool { isRegularFile(path) && isAccessible(path) }

    private static func isAccessible(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

    package static func isRegularFile(_ path: String) -> Bool { (try? look(through: path).kind) == .regular }

    /// All bytes of a file.
    package static func contents(of path: String) throws(SystemError) -> [UInt8] {
        let file = try FileReader(path)
        var contents: [UInt8] = []
        while true {
            let piece = try file.next()
            guard !piece.isEmpty else { return contents }
            contents += piece
        }
    }

    /// A file with a name, open for reading; a symbolic link is not followed.
    ///
    /// - Throws: `ENOENT` where there is no such file.
    package static func openForReading(_ path: String) throws(SystemError) -> MediaFile {
        let descriptor = try OwnedDescriptor.adopt(
            unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC), from: "open \(path)"
        ).release()
        return MediaFile(descriptor: descriptor, isLinkable: false) { _ = close($0) }
    }

    /// The names in a folder, without `.` and `..`, in no order.
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

    /// Up to `count` bytes from an offset; fewer at the end of the file. The descriptor's own position is not used.
    package static func bytes(of file: MediaFile, at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var read = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            read = unsafe pread(file.descriptor, buffer.baseAddress, count, off_t(offset))
            initializedCount = max(0, read)
        }
        guard read >= 0 else { throw .last("pread") }
        return bytes
    }

    /// Calls `body` with the file's bytes in order, 64 kB at a time. The allocator would map a larger buffer anew for each
    /// file, and the page faults of the new buffer take longer than the reading.
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

    /// Copies a file's bytes into a new file with a name, durable, replacing what has the name.
    package static func copy(_ file: MediaFile, to path: String) throws(SystemError) {
        try replace(path) { descriptor throws(SystemError) in
            try forEachChunk(of: file) { chunk throws(SystemError) in try write(chunk, to: descriptor) }
        }
    }

    /// Writes a file as a whole, durable, replacing what has the name: a reader sees the old one or the new one.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        try replace(path) { descriptor throws(SystemError) in try write(bytes[...], to: descriptor) }
    }

    /// Writes under another name, syncs, renames. The folder is the caller's to sync.
    private static func replace(_ path: String, _ fill: (Int32) throws(SystemError) -> Void) throws(SystemError) {
        let partial = path + ".part-\(UInt64.random(in: 0 ... .max))"
        let file = try OwnedDescriptor.adopt(
            unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640), from: "open \(partial)")
        do throws(SystemError) {
            try fill(file.raw)
            guard fsync(file.raw) == 0 else { throw .last("fsync \(partial)") }
            guard unsafe Glibc.rename(partial, path) == 0 else { throw .last("rename \(partial)") }
        } catch {
            _ = unsafe unlink(partial)
            throw error
        }
    }

    /// Makes an empty file with the mode of another one and, for the superuser, with its owner.
    ///
    /// - Throws: `EEXIST` when the name is taken; that file stays as it is.
    package static func createEmpty(_ path: String, like other: String) throws(SystemError) {
        var status = stat()
        guard unsafe stat(other, &status) == 0 else { throw .last("stat \(other)") }
        let file = try OwnedDescriptor.adopt(
            unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), from: "open \(path)")
        if geteuid() == 0, fchown(file.raw, status.st_uid, status.st_gid) != 0 { throw .last("fchown \(path)") }
        guard fchmod(file.raw, status.st_mode & 0o777) == 0 else { throw .last("fchmod \(path)") }
    }

    /// Writes all of the bytes at an offset, without moving the file's position.
    package static func write(
        _ bytes: UnsafeRawBufferPointer, to file: MediaFile, at offset: Int
    ) throws(SystemError) {
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

    /// Writes all bytes at the descriptor's position.
    package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN {
                // A pipe whose other end, or whose heir, made it non-blocking.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&room, 1, -1)
                continue
            }
            guard written > 0 else { throw .last("write") }
            rest = rest.dropFirst(written)
        }
    }

    /// Opens /dev/null in place of the standard streams that the parent has closed, so that no file or socket of ours
    /// gets their numbers.
    package static func fillStandardStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = unsafe open("/dev/null", O_RDWR) }
    }
}
