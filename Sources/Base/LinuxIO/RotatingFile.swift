import Base
import Glibc

/// A file of lines with a bounded size. When the file is full, it gets the name `PATH.1`, the file `PATH.1` gets the name
/// `PATH.2`, and so on, and a new file begins. The oldest file is removed, so that a bounded number of files exists.
///
/// The file is locked, so that no two processes rename the files of each other. A line is written whole or not at all:
/// after a failed write, for instance to a full disk, the file is cut to its last whole line.
package final class RotatingFile: Sendable {
    package enum Failure: Error, Sendable, CustomStringConvertible {
        case failed(SystemError)
        case isNoFile(String)
        case locked(String)

        package var description: String {
            switch self {
            case .failed(let error): "\(error)"
            case .isNoFile(let path): "\(path) is not a regular file"
            case .locked(let path): "another process writes to \(path)"
            }
        }
    }

    private struct State {
        var file: OpenFile?
    }

    /// An open file. The class closes the descriptor with its last reference.
    private final class OpenFile: Sendable {
        let descriptor: OwnedDescriptor

        init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }
    }

    private let path: String
    private let maxBytes: Int
    private let maxFiles: Int
    private let state = Guarded(State(file: nil))

    /// Opens a file, which is created (mode 0640 less the umask) if it does not exist. A full disk is no failure: the
    /// file is then opened by the first write that the disk permits.
    ///
    /// - Parameter maxBytes: The size, in bytes, at which the file is full. A single longer line exceeds it.
    /// - Parameter maxFiles: The number of files, at least 1, with the one that is written.
    package init(_ path: String, maxBytes: Int, maxFiles: Int) throws(Failure) {
        self.path = path
        self.maxBytes = maxBytes
        self.maxFiles = max(1, maxFiles)
        do throws(Failure) {
            let file = try Self.open(path)
            state.withLock { $0.file = file }
        } catch {
            if case .failed(let error) = error, error.isDiskFull { return }
            throw error
        }
    }

    /// Appends a line with its end. The call blocks while the disk does.
    package func write(_ line: [UInt8]) throws(Failure) {
        try state.withLock { state throws(Failure) in
            var file: OpenFile
            if let open = state.file { file = open } else { file = try Self.open(path) }
            state.file = file
            var byteCount = try Self.byteCount(of: file)
            func isFull() -> Bool { byteCount > 0 && byteCount + line.count > maxBytes }
            if isFull(), !Self.isStill(file, at: path) {
                // Another program has moved or removed the open file.
                file = try Self.open(path)
                state.file = file
                byteCount = try Self.byteCount(of: file)
            }
            if isFull() {
                byteCount = 0
                if maxFiles == 1 {
                    guard ftruncate(file.descriptor.raw, 0) == 0 else { throw .failed(.last("ftruncate \(path)")) }
                } else {
                    try rotate()
                    state.file = nil
                    file = try Self.open(path)
                    state.file = file
                }
            }
            do throws(SystemError) { try FileSystem.write(line[...], to: file.descriptor.raw) } catch {
                _ = ftruncate(file.descriptor.raw, off_t(byteCount))
                throw .failed(error)
            }
        }
    }

    /// Opens the file again, because another program may have given it another name. If that fails, the open file stays
    /// in use.
    package func reopen() {
        state.withLock { state in
            guard let file = state.file, !Self.isStill(file, at: path) else { return }
            if let opened = try? Self.open(path) { state.file = opened }
        }
    }

    /// Gives all files their next names. If a name cannot be given, the files before it keep theirs, and the next line
    /// tries again.
    private func rotate() throws(Failure) {
        // Files after a missing one keep their names.
        var last = 1
        while last < maxFiles - 1, FileSystem.size(of: "\(path).\(last)") != nil { last += 1 }
        do throws(SystemError) {
            for number in stride(from: last, through: 2, by: -1) {
                try FileSystem.rename("\(path).\(number - 1)", to: "\(path).\(number)")
            }
            try FileSystem.rename(path, to: "\(path).1")
        } catch {
            throw .failed(error)
        }
    }

    private static func open(_ path: String) throws(Failure) -> OpenFile {
        let file: OpenFile
        do throws(SystemError) {
            file = OpenFile(
                try OwnedDescriptor.open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK, mode: 0o640))
        } catch {
            throw .failed(error)
        }
        var status = stat()
        guard unsafe fstat(file.descriptor.raw, &status) == 0 else { throw .failed(.last("fstat \(path)")) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoFile(path) }
        let isLocked: Bool
        do throws(FileLock.Failure) { isLocked = try FileLock.lock(file.descriptor.raw, of: path) } catch {
            if case .failed(let error) = error { throw .failed(error) }
            throw .locked(path)
        }
        guard isLocked else { throw .locked(path) }
        return file
    }

    private static func byteCount(of file: OpenFile) throws(Failure) -> Int {
        var status = stat()
        guard unsafe fstat(file.descriptor.raw, &status) == 0 else { throw .failed(.last("fstat")) }
        return Int(status.st_size)
    }

    private static func isStill(_ file: OpenFile, at path: String) -> Bool {
        var own = stat()
        var named = stat()
        guard unsafe fstat(file.descriptor.raw, &own) == 0, unsafe stat(path, &named) == 0 else { return false }
        return own.st_ino == named.st_ino && own.st_dev == named.st_dev
    }
}
