import CLinuxShims
import Glibc

/// The kernel's report on whether a process has a file open for writing.
package enum WriterStatus: Sendable, Equatable {
    /// No process has the file open for writing.
    case none
    /// A process has the file open for writing.
    case open
    /// The state is unknown: the kernel reports it only on local file systems, to the file's owner or with `CAP_LEASE`.
    case unknown
}

/// The calls that read files of other programs in the spool. The calls make no assumption about such a file.
extension FileSystem {
    /// Returns whether a process has the file open for writing now.
    ///
    /// The call takes a lease and releases it at once (fcntl(2), `F_SETLEASE`). A process that opens the file during
    /// the lease waits for some microseconds.
    package static func writerStatus(_ path: String) -> WriterStatus {
        guard let file = try? openRegular(path) else { return .unknown }
        switch agd_is_open_for_writing(file.raw) {
        case 0: return .none
        case 1: return .open
        default: return .unknown
        }
    }

    /// Returns all bytes of a regular file, without following a symbolic link or waiting for the writer of a FIFO.
    package static func contents(ofRegularFile path: String, atMost limit: Int) throws(RegularFileError) -> [UInt8] {
        let file = try openRegular(path, atMost: limit)
        var contents: [UInt8] = []
        // The file may grow while it is read, so the bytes that arrive are counted.
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(file.raw, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed(.last("read \(path)")) }
            guard count > 0 else { return contents }
            guard count <= limit - contents.count else { throw .tooLarge(limit: limit) }
            contents += buffer[..<count]
        }
    }

    private static func openRegular(
        _ path: String, atMost limit: Int = .max
    ) throws(RegularFileError) -> OwnedDescriptor {
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = SystemError.last("open \(path)")
            switch error.errno {
            case ENOENT: throw .missing
            case ELOOP: throw .notRegular(.symbolicLink)
            case ENXIO: throw .notRegular(.other)
            default: throw .failed(error)
            }
        }
        let file = OwnedDescriptor(adopting: descriptor)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else { throw .failed(.last("fstat \(path)")) }
        let found = FileStatus(status)
        guard found.kind == .regular else { throw .notRegular(found.kind) }
        guard found.byteCount <= limit else { throw .tooLarge(limit: limit) }
        return file
    }
}
