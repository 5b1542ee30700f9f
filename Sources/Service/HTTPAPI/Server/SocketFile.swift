import Glibc

/// The file of a unix socket in the file system.
struct SocketFile: Sendable {
    let path: String
    let groupID: UInt32?

    /// The error of a path that is too long for a socket, or that names another kind of file; `nil` for a usable path.
    var obstacle: HTTPServerError? {
        guard path.utf8.count <= Self.maxPath else {
            return failure("name", "it has \(path.utf8.count) bytes, and the limit is \(Self.maxPath)")
        }
        guard let kind, kind != S_IFSOCK else { return nil }
        return failure("bind", "another file has this name, and it is not removed")
    }

    /// Removes the socket of a killed daemon. A socket on which a daemon listens is not removed.
    func removeStale() throws(HTTPServerError) {
        if let obstacle { throw obstacle }
        guard kind != nil else { return }
        guard !isAnswered() else { throw .socketInUse(path: path) }
        guard unlink(path) == 0 || errno == ENOENT else { throw lastFailure("unlink") }
    }

    /// Sets the permissions of the file. Before this call, the file mask of the process decides them. The credentials
    /// of each peer are checked in any case.
    func restrict() throws(HTTPServerError) {
        if let groupID {
            guard chown(path, uid_t.max, groupID) == 0 else { throw lastFailure("chown to group \(groupID)") }
        }
        guard chmod(path, groupID == nil ? 0o600 : 0o660) == 0 else { throw lastFailure("chmod") }
    }

    func remove() { unlink(path) }

    private static let maxPath = 107

    /// The kind of the file at the path; `nil` if there is no file.
    private var kind: mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    private func isAnswered() -> Bool {
        // The socket is non-blocking, because a listener with a full queue must not block this call. `connect` then
        // fails with EAGAIN, which means that the socket is in use.
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { list in
                list.baseAddress.map { connect(descriptor, $0, socklen_t(bytes.count)) } ?? -1
            }
        }
        return result == 0 || errno == EAGAIN
    }

    private func lastFailure(_ step: String) -> HTTPServerError { failure(step, String(cString: strerror(errno))) }

    private func failure(_ step: String, _ problem: String) -> HTTPServerError {
        .socket(path: path, step: step, problem: problem)
    }
}
