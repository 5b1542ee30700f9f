import CLinuxShims
import Glibc

/// A lock on a file that one holder in the machine can have until it releases the lock or its process ends.
///
/// The lock belongs to the open file (fcntl(2), `F_OFD_SETLK`), so children that inherit no descriptor do not share it.
/// Other processes can test the lock without taking it. The first line of the file is the process number of the holder.
/// The file is not removed after the lock is released.
package struct FileLock: ~Copyable, Sendable {
    private let file: OwnedDescriptor

    /// The process that holds a lock.
    package struct Holder: Sendable, Equatable {
        /// The process number; `nil` if the holder has not written it yet.
        package let pid: Int32?
    }

    package enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
        case locked(Holder)
        case failed(SystemError)

        package var description: String {
            switch self {
            case .locked(let holder): holder.pid.map { "process \($0) holds it" } ?? "another process holds it"
            case .failed(let error): "\(error)"
            }
        }
    }

    /// Takes the lock of a file, which is created (mode 0600) if it does not exist. Throws `locked` with the holder at
    /// once if another process holds the lock, or `failed` with the error of a system call.
    package static func take(_ path: String) throws(Failure) -> FileLock {
        while true {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .failed(.last("open \(path)")) }
            let file = OwnedDescriptor(adopting: descriptor)
            guard try lock(file.raw, of: path) else { throw .locked(Holder(pid: pid(in: file.raw))) }
            // Another file may have got the name before the lock was taken. Other processes would lock that file.
            guard isStill(file.raw, at: path) else { continue }
            do throws(SystemError) {
                guard ftruncate(file.raw, 0) == 0 else { throw .last("ftruncate \(path)") }
                try FileSystem.write(Array("\(getpid())\n".utf8)[...], to: file.raw)
            } catch {
                throw .failed(error)
            }
            return FileLock(file: file)
        }
    }

    /// Takes the lock of an open file; returns `false` if another process holds it.
    static func lock(_ descriptor: Int32, of path: String) throws(Failure) -> Bool {
        if agd_lock_file(descriptor) == 0 { return true }
        let error = SystemError.last("lock \(path)")
        guard error.isTryAgain || error.errno == EACCES else { throw .failed(error) }
        return false
    }

    /// Returns the process that holds the lock now. The call does not take the lock, so it does not disturb other
    /// processes. The result is `nil` if no process holds the lock, or if the file does not exist.
    package static func holder(of path: String) throws(SystemError) -> Holder? {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        let file = try OwnedDescriptor.adopt(descriptor, from: "open \(path)")
        switch agd_is_file_locked(file.raw) {
        case 0: return nil
        case 1: return Holder(pid: pid(in: file.raw))
        default: throw .last("lock \(path)")
        }
    }

    private static func pid(in descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        return text.split(separator: "\n").first.flatMap { Int32($0) }
    }

    private static func isStill(_ descriptor: Int32, at path: String) -> Bool {
        var own = stat()
        var named = stat()
        guard unsafe fstat(descriptor, &own) == 0, unsafe stat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}

/// A lock on a directory, for work that only one process may do at a time. The lock needs no separate file.
package enum DirectoryLock {
    /// Waits for the lock, and runs `body`. The lock is released after it, or when the process ends (flock(2)).
    package static func withLock<Result>(of directory: String, _ body: () throws -> Result) throws -> Result {
        let file = try OwnedDescriptor.open(directory, O_RDONLY | O_DIRECTORY)
        while flock(file.raw, LOCK_EX) != 0 {
            let error = SystemError.last("flock \(directory)")
            guard error.errno == EINTR else { throw error }
        }
        defer { flock(file.raw, LOCK_UN) }
        return try body()
    }
}
