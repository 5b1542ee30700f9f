import LinuxIO
import NotificationModel

/// The state of one group in the spool. Only the spool's thread uses it.
final class GroupSpool {
    let name: AppGroupName
    let directories: SpoolDirectories
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

    init(name: AppGroupName, root: String, bound: Int) {
        self.name = name
        directories = SpoolDirectories(root: root, group: name)
        names = PendingFileNames(directories, bound: bound)
    }

    /// Whether the group had an `incoming` directory at the last check.
    var hasIncoming: Bool { incoming != nil || isScanned && isRecovered }
}
