import LinuxIO
import NotificationModel

/// One group, as the spool sees it. Belongs to the spool's thread.
final class GroupSpool {
    let name: AppGroupName
    let directories: SpoolDirectories
    /// Of the group's folder, for `incoming` that is made in it.
    let watch: DirectoryWatcher.DirectoryID
    /// Of `incoming`; `nil` while there is none.
    var incoming: DirectoryWatcher.DirectoryID?
    var names: PendingFileNames
    /// What an earlier daemon has claimed was looked for.
    var isRecovered = false
    /// It is in the line of groups whose names are looked at.
    var isInLine = false

    init(name: AppGroupName, directories: SpoolDirectories, watch: DirectoryWatcher.DirectoryID, bound: Int) {
        self.name = name
        self.directories = directories
        self.watch = watch
        names = PendingFileNames(bound: bound)
    }

    /// The next name that is to be looked at, and where it is.
    func nextName() -> (name: String, sighting: DiscoveredBy)? {
        names.next { try? DirectoryScan.start(directories.incoming) }
    }
}
