import LinuxIO

/// The inotify watches of a daemon. Each app group needs two of them.
package enum WatchBudget {
    /// The number of watches of a daemon if the kernel does not report the limit of a user.
    private static let ofUnknownUser = 4_096

    /// The number of watches that all processes of this user may have. The value is `nil` if the kernel has no inotify.
    package static var ofUser: Int? {
        // The second limit also counts in a container whose users differ from the users of the machine
        // (`user_namespaces(7)`).
        ["/proc/sys/fs/inotify/max_user_watches", "/proc/sys/user/max_inotify_watches"]
            .compactMap { FileSystem.firstLine(of: $0).flatMap { Int($0) } }.min()
    }

    /// The number of watches of the daemon: half of the user's watches. Other processes need watches, too.
    package static var ofDaemon: Int { ofUser.map { $0 / 2 } ?? ofUnknownUser }
}
