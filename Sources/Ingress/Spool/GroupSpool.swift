import LinuxIO
import NotificationModel

/// One group, as the spool sees it. Belongs to the spool's thread.
final class GroupSpool {
    let name: AppGroupName
    let directories: SpoolDirectories
    /// Of the group's folder, for `incoming` that is made in it; `nil` while watches are short.
    var watch: DirectoryWatcher.DirectoryID?
    /// Of `incoming`; `nil` while there is none, or watches are short.
    var incoming: DirectoryWatcher.DirectoryID?
    /// Whether watches are short, and the folders are looked at each second instead.
    var isScanned = false
    /// The state of `incoming` when it was read last; `nil`: it may change without another time.
    var seen: FileStatus?
    var names: PendingFileNames
    /// What an earlier daemon has claimed was looked for.
    var isRecovered = false
    /// It is in the line of groups whose names are looked at.
    var isInLine = false

    init(name: AppGroupName, directories: SpoolDirectories, bound: Int) {
        self.name = name
        self.directories = directories
        names = PendingFileNames(bound: bound)
    }

    /// Whether it had an `incoming` when it was looked at last.
    var hasIncoming: Bool { incoming != nil || isScanned && isRecovered }

    /// The next name that is to be looked at, and where it is.
    func nextName() -> (name: String, sighting: DiscoveredBy)? {
        names.next { try? DirectoryScan.start(directories.incoming) }
    }
}
