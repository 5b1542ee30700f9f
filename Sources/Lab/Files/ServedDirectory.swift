import Glibc

/// The folder that the origin's bodies come from. Nothing outside it is ever opened.
///
/// A path is walked one component at a time, each relative to the one before and with `O_NOFOLLOW`, so neither a `..`
/// nor a symbolic link leads out, and no exchange of a folder for a link between a check and its use does.
package final class ServedDirectory: Sendable {
    let descriptor: CInt

    /// - Parameter path: a folder; itself, it may be a symbolic link.
    package init(_ path: String) throws(OriginStartError) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .directory(path: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// The file at a path of ``OriginRequestPath/filePath``'s form.
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
        // O_NONBLOCK: opening a FIFO without a writer would wait for one, on the event loop.
        let file = try Self.open(name, in: directory, O_NONBLOCK)
        return try ServedFile(descriptor: file, contentType: ContentType.named(by: name))
    }

    private static func open(_ name: String, in directory: CInt, _ flags: CInt) throws(FileRefusal) -> CInt {
        // The parser lets no such component through; a second wall, because this one guards the whole machine.
        guard name != "..", !name.contains("/") else { throw .notFound }
        let opened = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        guard opened < 0 else { return opened }
        switch errno {
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO: throw .notFound
        case let code: throw .unreadable(errno: code)
        }
    }
}
