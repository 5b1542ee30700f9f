import Glibc
import NIOCore
import SwiftOverlayShims  // has the fields of `timespec`, for MemberImportVisibility

/// A regular file of the served directory, open for reading. The file is closed when the last reply that uses it is
/// released.
package final class ServedFile: Sendable {
    /// The size in bytes at the time of opening.
    package let size: Int
    package let contentType: String
    /// A strong validator: the size, and the time of the last change in nanoseconds.
    package let entityTag: String
    /// The time of the last change, in seconds since 1970.
    package let lastModified: Int

    private let descriptor: CInt

    /// Takes ownership of `descriptor`, also if the call fails.
    init(descriptor: CInt, contentType: String) throws(FileRefusal) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let code = errno
            close(descriptor)
            throw .unreadable(errno: code)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notFound
        }
        let changed = status.st_mtim
        self.descriptor = descriptor
        self.contentType = contentType
        size = status.st_size
        let parts = [size, changed.tv_sec, changed.tv_nsec].map { String($0, radix: 16) }
        entityTag = "\"" + parts.joined(separator: "-") + "\""
        lastModified = max(0, changed.tv_sec)
    }

    deinit { close(descriptor) }

    /// Returns exactly `count` bytes from `offset`; `nil` if the file was truncated or cannot be read.
    func read(_ count: Int, at offset: Int) -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let have = buffer.readableBytes
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count - have) { space in
                max(0, pread(descriptor, space.baseAddress, count - have, offset + have))
            }
            // A pread from a regular file is not interrupted, so zero bytes mean the end of the file or an error.
            guard got > 0 else { return nil }
        }
        return buffer
    }
}

/// The reason for which the served directory has no file at a path.
package enum FileRefusal: Error, Sendable, Equatable {
    /// The name does not exist, a directory or a device has the name, or a component of the path is a symbolic link.
    case notFound
    /// The file exists, but cannot be read.
    case unreadable(errno: Int32)
    /// The file is larger than the limit for an encoded reply.
    case tooLargeToEncode(limit: Int)
}
