import CLinuxShims
import Glibc

/// Whether a file is finished, as far as the kernel tells.
package enum WriterStatus: Sendable, Equatable {
    /// Nobody has it open for writing.
    case none
    /// Somebody is at it.
    case open
    /// The kernel tells only owners of the file and those with `CAP_LEASE`, and on local file systems.
    case unknown
}

/// Files that others hand in: nothing about them is taken for granted.
extension FileSystem {
    /// Whether nobody has the file open for writing at this moment, by a lease that is given back at once (fcntl(2),
    /// `F_SETLEASE`). Who opens the file in between waits for some microseconds.
    package static func writerStatus(_ path: String) -> WriterStatus {
        guard let file = try? openRegular(path) else { return .unknown }
        switch agd_is_open_for_writing(file.raw) {
        case 0: return .none
        case 1: return .open
        default: return .unknown
        }
    }

    /// All bytes of a regular file, read through no link, and never waiting for a writer of a FIFO.
    package static func contents(
        ofRegularFile path: String, atMost limit: Int
    ) throws(RegularFileError) -> [UInt8] {
        let file = try openRegular(path, atMost: limit)
        var contents: [UInt8] = []
        // It may grow while it is read: what counts are the bytes that come.
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
