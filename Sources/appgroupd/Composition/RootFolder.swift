import Glibc
import LinuxIO

/// The folder of the containers, looked at without making it.
struct RootFolder {
    let path: String

    /// The folder itself if it exists, else the nearest one above it, in which it would be made; `nil` if there is none.
    var existing: String? { Self.existing(path) }

    /// The problem that keeps this user from serving the folder, and how to mend it; `nil` if there is none.
    var problem: (found: String, mend: String)? {
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

    /// Refuses to work as the superuser on the folder of another user: the daemon of that user could not use what is made
    /// there.
    ///
    /// - Throws: with status 2.
    func checkOwner() throws(CommandFailure) {
        guard geteuid() == 0, let owner = try? FileSystemInfo.of(path).owner, owner != 0 else { return }
        throw CommandFailure(
            .usage, "--root \(path) belongs to user \(owner): run the command as that user, with sudo -u '#\(owner)'")
    }

    static var user: String { "user \(geteuid())" }

    private static func existing(_ root: String) -> String? {
        var path = root
        while true {
            if (try? FileSystemInfo.of(path)) != nil { return path }
            guard let slash = path.lastIndex(of: "/") else { return path == "." ? nil : existing(".") }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }
}
