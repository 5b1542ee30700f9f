import LinuxIO

/// The inotify watches of a daemon. Each app group needs two of them.
enum WatchBudget {
    /// Watches of a daemon if the kernel does not say how many a user may have.
    private static let ofUnknownUser = 4_096

    /// Watches that all processes of this user may have; `nil` if the kernel has no inotify.
    static var ofUser: Int? {
        // The second one also counts in a container whose users are not those of the machine (`user_namespaces(7)`).
        ["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"].compactMap(number).min()
    }

    /// Watches that the daemon takes: half of them, because other processes of the user need some too.
    static var ofDaemon: Int { ofUser.map { $0 / 2 } ?? ofUnknownUser }

    private static func number(in path: String) -> Int? {
        (try? FileSystem.contents(of: path)).flatMap { Int(LimitChecks.line($0)) }
    }
}
