import LinuxIO
import NotificationModel

/// One group, as the spool sees it. Belongs to the spool's thread.
final class GroupSpool {
    let name: AppGroupName
    private let root: String
    /// The watch of the group's directory, in which `incoming` may be made; `nil` while watches are short.
    var watch: DirectoryWatcher.DirectoryID?
    /// The watch of `incoming`; `nil` while `incoming` is missing or watches are short.
    var incoming: DirectoryWatcher.DirectoryID?
    /// Whether watches are short, and the folders are looked at each second instead.
    var isScanned = false
    /// The time of `incoming` when it was read last; `nil`: it may change without another time.
    var seen: Duration?
    var names: PendingFileNames
    /// Names of files in `incoming` that do not end in `.json`, for each of which the log has a line.
    var mistaken: Set<String> = []
    /// What an earlier daemon has claimed was looked for.
    var isRecovered = false
    /// It is in the line of groups whose names are looked at.
    var isInLine = false
    /// It may open a folder.
    var mayRead = false
    /// It waits until it may open a folder.
    var isWaiting = false

    init(name: AppGroupName, root: String, bound: Int) {
        self.name = name
        self.root = root
        names = PendingFileNames(bound: bound)
    }

    var directories: SpoolDirectories { SpoolDirectories(root: root, group: name) }

    /// Whether it had an `incoming` when it was looked at last.
    var hasIncoming: Bool { incoming != nil || isScanned && isRecovered }

    /// The next name that is to be looked at, and where it is.
    ///
    /// - Parameter othersWait: whether other groups wait until they may open a folder.
    func nextName(othersWait: Bool) -> (name: String, sighting: DiscoveredBy)? {
        names.next(
            mayStart: mayRead, othersWait: othersWait,
            startRecovery: { () throws(SystemError) in try DirectoryScan.start(directories.claimed) },
            startScan: { () throws(SystemError) in try DirectoryScan.start(directories.incoming) })
    }
}
