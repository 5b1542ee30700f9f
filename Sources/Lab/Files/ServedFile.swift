import Glibc
import NIOCore
import SwiftOverlayShims  // where MemberImportVisibility finds the fields of `timespec`

/// A regular file of the served folder, open for reading; closed when the last reply that holds it is gone.
package final class ServedFile: Sendable {
    /// In bytes, when it was opened.
    package let size: Int
    package let contentType: String
    /// A strong validator: size and time of the last change, in nanoseconds.
    package let entityTag: String
    /// The time of the last change, in seconds since 1970.
    package let lastModified: Int

    private let descriptor: CInt

    /// Takes over `descriptor`, whatever comes of it.
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

    /// Exactly `count` bytes from `offset` on; `nil` where the file has shrunk or cannot be read.
    func read(_ count: Int, at offset: Int) -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        while buffer.readableBytes < count {
            let have = buffer.readableBytes
            let got = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count - have) { space in
                max(0, pread(descriptor, space.baseAddress, count - have, offset + have))
            }
            // pread from a regular file is not interrupted: nothing read is the end, or an error.
            guard got > 0 else { return nil }
        }
        return buffer
    }
}

/// Why the served folder gives no file for a path.
package enum FileRefusal: Error, Sendable, Equatable {
    /// Nothing of that name, a folder, a device, or a symbolic link anywhere on the way.
    case notFound
    /// It is there and cannot be read.
    case unreadable(errno: Int32)
    /// It has more bytes than are encoded for one reply.
    case tooLargeToEncode(limit: Int)
}
