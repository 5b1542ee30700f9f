import Glibc

/// A regular file that is read at once, up to a limit.
struct BoundedFile {
    let bytes: [UInt8]
    /// The permission bits of the file.
    let mode: mode_t

    enum Refusal: Error, Equatable {
        case missing
        /// The file cannot be read. The value is the reason in words.
        case unreadable(String)

        /// Returns the message about the file at a path.
        func message(about path: String) -> String {
            switch self {
            case .missing: "\(QuotedText.path(path)) does not exist"
            case .unreadable(let reason): "\(QuotedText.path(path)) cannot be read: \(reason)"
            }
        }
    }

    /// Reads a regular file or `/dev/null`. Pipes and terminals are refused, because the reader would wait for them and
    /// could not read them again.
    ///
    /// - Parameter limit: The largest size, in bytes.
    static func read(_ path: String, limit: Int) throws(Refusal) -> BoundedFile {
        guard !path.utf8.contains(0) else { throw .unreadable("its name has a NUL in it") }
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? Refusal.missing : lastError() }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw lastError() }
        guard status.st_mode & S_IFMT == S_IFREG || path == "/dev/null" else {
            throw .unreadable("it is not a regular file")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw lastError() }
            guard count > 0 else { return BoundedFile(bytes: bytes, mode: status.st_mode & 0o777) }
            bytes += piece[..<count]
            guard bytes.count <= limit else { throw .unreadable("it has more than \(limit) bytes") }
        }
    }

    /// Reads the file that a value names.
    ///
    /// - Throws: A message if the value is not a text, or if the file cannot be read.
    static func read(
        _ value: ConfigNode, _ expected: String = "the path of a file", limit: Int
    ) throws(ValueErrors) -> BoundedFile {
        let path = try value.text(expected)
        do throws(Refusal) { return try read(path, limit: limit) } catch {
            throw value.refusal(error.message(about: path))
        }
    }

    private static func lastError() -> Refusal { .unreadable(String(cString: strerror(errno))) }
}
