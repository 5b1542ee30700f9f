import Glibc

/// A file to which one process appends. The file is locked as by `FileLock`, so no other process writes into it.
package struct AppendFile: ~Copyable, Sendable {
    private let file: OwnedDescriptor

    /// Opens and locks a file. The file is created (mode 0640 less the umask) if it does not exist. Throws `locked`,
    /// without the process, if another process has locked the file.
    package static func open(_ path: String) throws(FileLock.Failure) -> AppendFile {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw .failed(.last("open \(path)")) }
        let file = OwnedDescriptor(adopting: descriptor)
        guard try FileLock.lock(file.raw, of: path) else { throw .locked(FileLock.Holder(pid: nil)) }
        return AppendFile(file: file)
    }

    /// Reads the bytes from the beginning to the end, in pieces of up to 256 KiB.
    package func forEachPiece(_ body: (ArraySlice<UInt8>) -> Void) throws(SystemError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var offset = 0
        while true {
            let count = unsafe pread(file.raw, &buffer, buffer.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("pread") }
            guard count > 0 else { return }
            body(buffer[..<count])
            offset += count
        }
    }

    /// Removes all bytes after the first `count`.
    package func truncate(to count: Int) throws(SystemError) {
        guard ftruncate(file.raw, off_t(count)) == 0 else { throw .last("ftruncate") }
    }

    package func append(_ bytes: [UInt8]) throws(SystemError) { try FileSystem.write(bytes[...], to: file.raw) }

    /// Makes the bytes durable (fdatasync(2)).
    package func sync() throws(SystemError) {
        guard fdatasync(file.raw) == 0 else { throw .last("fdatasync") }
    }
}
