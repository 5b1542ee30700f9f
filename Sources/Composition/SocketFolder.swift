import HTTPAPI
import LinuxIO
package import ServiceConfiguration

/// The directory in which the socket is created.
package struct SocketFolder {
    private let path: String
    private let root: String

    private init(_ configuration: Configuration) {
        let socket = configuration.socket
        let folder = socket.lastIndex(of: "/").map { socket[..<$0] }
        path = folder.map { $0.isEmpty ? "/" : String($0) } ?? "."
        root = configuration.root
    }

    /// Returns the problem with the directory. Returns `nil` if a socket can be created there.
    package static func problem(with configuration: Configuration) -> String? {
        let folder = SocketFolder(configuration)
        guard folder.exists || folder.isMadeByStart else {
            return "the directory of \(configuration.socket) does not exist: create it, or name a socket elsewhere"
        }
        return HTTPServerSettings.UnixSocket(path: configuration.socket).obstacle?.description
    }

    private var exists: Bool { (try? FileSystemInfo.of(path)) != nil }

    /// Whether the directory is the root, which a daemon creates before it listens.
    private var isMadeByStart: Bool { Self.plain(path) == Self.plain(root) }

    private static func plain(_ path: String) -> Substring {
        path.hasPrefix("./") ? path.dropFirst(2) : path[...]
    }
}
