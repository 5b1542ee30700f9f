import Glibc
import HTTPAPI
import LinuxIO
import NotificationModel
package import ServiceConfiguration

/// The directory of the containers. This type only examines the directory, and never creates it.
package struct RootFolder {
    package let path: String

    package init(path: String) { self.path = path }

    /// The directory itself if it exists, or else the nearest existing directory above, in which the directory would be
    /// created. The value is `nil` if no directory above it exists.
    package var existing: String? {
        var path = path
        while true {
            if (try? FileSystemInfo.of(path)) != nil { return path }
            guard let slash = path.lastIndex(of: "/") else { return path == "." ? nil : RootFolder(path: ".").existing }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// A warning for each directory that was an app group before names of this form were reserved.
    package var reservedNames: [String] {
        ((try? FileSystem.names(in: path)) ?? []).filter {
            AppGroupName.hasReservedEnding($0) && (try? FileSystem.names(in: "\(path)/\($0)")) != nil
        }.sorted().map { name in
            "\(name) is no app group any more, because its name ends like a file of the daemon: stop the daemon, and "
                + "rename the directory: mv '\(path)/\(name)' '\(path)/\(name).group'"
        }
    }

    /// The problem because of which this user cannot serve the directory, and a way to solve it. The value is `nil` if
    /// this user can serve the directory.
    package var problem: (found: String, remedy: String)? {
        do throws(SystemError) {
            _ = try FileSystemInfo.of(path)
            if FileSystemInfo.isWritable(path) { return nil }
            return (
                "\(path) is not writable for \(Self.user)",
                "run as its owner, or give the directory to this user (chown)"
            )
        } catch {
            guard error.isNoSuchFile, let existing else {
                return ("\(path): \(error.reason)", "name a directory that this user can write to (--root)")
            }
            if FileSystemInfo.isWritable(existing) { return nil }
            return (
                "\(path) does not exist, and \(Self.user) cannot create it in \(existing)",
                "create the directory and give it to the daemon's user, or name another one (--root)"
            )
        }
    }

    /// Refuses to work as the superuser in the directory of another user. The user's daemon could not use such files.
    ///
    /// - Throws: A failure with status 2.
    package func checkOwner() throws(CommandFailure) {
        guard geteuid() == 0, let owner = try? FileSystemInfo.of(path).owner, owner != 0 else { return }
        throw CommandFailure(
            .usage, "--root \(path) belongs to user \(owner): run the command as that user, with sudo -u '#\(owner)'")
    }

    package static var user: String { "user \(geteuid())" }
}

/// The directory in which the socket is created.
package enum SocketFolder {
    /// Returns the problem with the directory. Returns `nil` if a socket can be created there.
    package static func problem(with configuration: Configuration) -> String? {
        let socket = configuration.socket
        let folder = socket.lastIndex(of: "/").map { $0 == socket.startIndex ? "/" : String(socket[..<$0]) } ?? "."
        // The directory may be the root, which a daemon creates before it listens.
        guard (try? FileSystemInfo.of(folder)) != nil || plain(folder) == plain(configuration.root) else {
            return "the directory of \(socket) does not exist: create it, or name a socket elsewhere"
        }
        return HTTPServerSettings.UnixSocket(path: socket).obstacle?.description
    }

    private static func plain(_ path: String) -> Substring { path.hasPrefix("./") ? path.dropFirst(2) : path[...] }
}
