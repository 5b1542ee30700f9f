import Glibc

/// The directory with the files that the origin serves. No file outside it is ever opened.
///
/// A path is opened one component at a time, each relative to the previous one and with `O_NOFOLLOW`. Neither a `..`
/// nor a symbolic link can therefore lead out of the directory. A path stays inside even if a directory is replaced by
/// a link between a check and its use.
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
        // The parser refuses such components already. This second check exists because it protects all files of the
        // machine.
        guard name != "..", !name.contains("/") else { throw .notFound }
        let opened = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        guard opened < 0 else { return opened }
        switch errno {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO: throw .notFound
        case let code: throw .unreadable(errno: code)
        }
    }
}
