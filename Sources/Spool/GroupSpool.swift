import LinuxIO
import NotificationModel

/// The state of one group in the spool. Only the spool's thread uses it.
final class GroupSpool {
    let name: AppGroupName
    private let root: String
    /// The watch of the group's directory, in which `incoming` may be created; `nil` while no watch is available.
    var watch: DirectoryWatcher.DirectoryID?
    /// The watch of `incoming`; `nil` while `incoming` is missing or no watch is available.
    var incoming: DirectoryWatcher.DirectoryID?
    /// Whether no watch is available, so that the directories are checked every second instead.
    var isScanned = false
    /// The modification time of `incoming` at the last scan; `nil` if the next change might not alter this time.
    var seen: Duration?
    var names: PendingFileNames
    /// The names of files in `incoming` that do not end in `.json`. The log has one line for each of these names.
    var mistaken: Set<String> = []
    /// Whether a scan for the claims of an earlier daemon was requested.
    var isRecovered = false
    /// Whether the group is in the queue of groups with names to check.
    var isInLine = false
    /// Whether the group may open a directory.
    var mayRead = false
    /// Whether the group waits until it may open a directory.
    var isWaiting = false

    init(name: AppGroupName, root: String, bound: Int) {
        self.name = name
        self.root = root
        names = PendingFileNames(bound: bound)
    }

    var directories: SpoolDirectories { SpoolDirectories(root: root, group: name) }

    /// Whether the group had an `incoming` directory at the last check.
    var hasIncoming: Bool { incoming != nil || isScanned && isRecovered }

    /// Returns the next name to check, with the event or the scan that discovered the name.
    ///
    /// - Parameter othersWait: Whether other groups wait until they may open a directory.
    func nextName(othersWait: Bool) -> (name: String, observed: DiscoveredBy)? {
        names.next(
            mayStart: mayRead, othersWait: othersWait,
            startRecovery: { () throws(SystemError) in try DirectoryScan.start(directories.claimed) },
            startScan: { () throws(SystemError) in try DirectoryScan.start(directories.incoming) })
    }
}
