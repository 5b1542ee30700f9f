import Base
import Glibc
import NIOCore
import SwiftOverlayShims  // has the fields of `timespec`, for MemberImportVisibility

/// The directory with the files that the origin serves. No file outside it is ever opened.
///
/// A path is opened one component at a time, each relative to the previous one and with `O_NOFOLLOW`. Neither a `..`
/// nor a symbolic link can therefore lead out of the directory. This holds even if a directory is replaced by a link.
package final class ServedDirectory: Sendable {
    let descriptor: CInt

    /// - Parameter path: The path of the directory, which may be a symbolic link.
    package init(_ path: String) throws(OriginStartError) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .directory(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// Opens the file at a path in the form of ``OriginRequestPath/filePath``.
    package func file(at path: String) throws(FileRefusal) -> ServedFile {
        var components = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = components.popLast(), !name.isEmpty else { throw .notFound }
        var directory = descriptor
        defer { if directory != descriptor { close(directory) } }
        for component in components {
            let next = try Self.open(component, in: directory, O_DIRECTORY)
            if directory != descriptor { close(directory) }
            directory = next
        }
        // Without O_NONBLOCK, opening a FIFO that has no writer would block the event loop.
        let file = try Self.open(name, in: directory, O_NONBLOCK)
        return try ServedFile(descriptor: file, contentType: ContentType.named(by: name))
    }

    private static func open(_ name: String, in directory: CInt, _ flags: CInt) throws(FileRefusal) -> CInt {
        // The parser refuses such components already. This second check protects all files of the machine.
        guard name != "..", !name.contains("/") else { throw .notFound }
        let opened = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        guard opened < 0 else { return opened }
        switch errno {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO: throw .notFound
        case let code: throw .unreadable(errno: code)
        }
    }
}

/// A regular file of the served directory, open for reading. It is closed when the last reply that uses it is released.
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
    func read(_ count: Int, at offset: Int) -> ByteBuffer? { ByteBuffer(count, at: offset, of: descriptor) }
}

extension ByteBuffer {
    /// Reads exactly `count` bytes from `offset`. Returns `nil` if the file is shorter or cannot be read.
    init?(_ count: Int, at offset: Int, of descriptor: CInt) {
        self = ByteBufferAllocator().buffer(capacity: count)
        while readableBytes < count {
            let have = readableBytes
            let got = writeWithUnsafeMutableBytes(minimumWritableBytes: count - have) { space in
                max(0, pread(descriptor, space.baseAddress, count - have, offset + have))
            }
            // A pread from a regular file is not interrupted, so zero bytes mean the end of the file or an error.
            guard got > 0 else { return nil }
        }
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

/// The `Content-Type` for the extension of a file name.
package enum ContentType {
    package static let html = "text/html; charset=utf-8"
    package static let unknown = "application/octet-stream"

    /// Returns the type for the last extension, in upper or lower case; ``unknown`` if no table has it.
    package static func named(by path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        let suffix = name[name.index(after: dot)...].lowercased()
        return byExtension[suffix] ?? MediaFormat.named(extension: suffix)?.mimeType ?? unknown
    }

    /// The types of the extensions of texts, and of extensions that are not the usual ones of their formats.
    private static let byExtension = [
        "apng": "image/apng", "heif": "image/heif", "ico": "image/vnd.microsoft.icon",
        "m4v": "video/x-m4v", "3gp": "video/3gpp", "wma": "audio/x-ms-wma", "wmv": "video/x-ms-wmv",
        "awb": "audio/amr-wb", "mpd": "application/dash+xml",
        "json": "application/json", "html": html, "htm": html, "txt": "text/plain; charset=utf-8",
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
    ]
}
