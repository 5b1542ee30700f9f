import LinuxIO
import NotificationModel

/// The limits of the spool and the lengths of its pauses.
package struct SpoolLimits: Sendable {
    /// The maximum size of a payload file, in bytes.
    package var fileBytes = 4 << 20
    /// The maximum number of files that are claimed and not yet accepted. These files share a commit of the journal.
    package var inFlight = 64
    /// The maximum number of names of a group in memory. Reading the directory again finds the others.
    package var names = 4_096
    /// The time without a change after which a file is claimed if the kernel does not report its writers.
    package var quiet: Duration = .seconds(2)
    /// The pause after an error of the disk or the journal.
    package var pause: Duration = .seconds(2)
    /// The pause before large files without a lease are tried again.
    package var memoryPause: Duration = .milliseconds(100)
    /// The time between two scans of all directories. The scans find files without an event. These are files on network
    /// file systems, and links to files that other processes have open.
    package var lookAgain: Duration = .seconds(60)
    /// The maximum number of watched directories. A group needs two watches.
    package var watches = 65_536
    /// The pause between two checks of the groups without a watch.
    package var unwatchedLook: Duration = .seconds(1)

    package init() {}
}

/// The four directories of one group, and the names in them.
struct SpoolDirectories: Sendable {
    let group: String

    init(root: String, group: AppGroupName) { self.group = "\(root)/\(group)" }

    var incoming: String { group + "/incoming" }
    var claimed: String { group + "/claimed" }
    var rejected: String { group + "/rejected" }
    private var outbox: String { group + "/outbox" }

    func incoming(_ name: String) -> String { "\(incoming)/\(name)" }
    func claimed(_ name: String) -> String { "\(claimed)/\(name)" }
    func rejected(_ name: String) -> String { "\(rejected)/\(name)" }

    /// Creates the missing directories of the group. The root exists.
    func make() throws(SystemError) {
        // `incoming` is created last, so a writer that finds this directory also finds the other directories.
        for directory in [group, claimed, rejected, outbox, incoming] { try FileSystem.makeDirectory(directory) }
    }
}

/// The rules for the names of files in the spool.
enum SpoolName {
    static let ending = ".json"

    /// Returns whether a file is submitted. Others (`.tmp`, `.part`, hidden files) belong to their writers.
    static func isPayload(_ name: String) -> Bool { name.hasSuffix(ending) && !name.hasPrefix(".") }

    /// Returns whether a file with this name was probably meant to be submitted. Hidden files and the usual names of
    /// unfinished files belong to their writers, which rename them.
    static func isMistaken(_ name: String) -> Bool {
        !isPayload(name) && !name.hasPrefix(".") && !unfinished.contains { name.lowercased().hasSuffix($0) }
    }

    /// The suffixes of files that editors, rsync, browsers and transfer programs (WinSCP, FileZilla, lftp, aria2) write, and
    /// rename when they are complete.
    private static let unfinished = [
        "~", ".tmp", ".temp", ".part", ".partial", ".filepart", ".crdownload", ".download", ".opdownload", ".aria2",
        ".lftp-pget-status", ".upload", ".uploading", ".inprogress", ".incomplete", ".swp", ".lock",
    ]

    /// Returns the name without its suffix. The name must pass `isPayload`.
    static func stem(_ name: String) -> String { String(name.dropLast(ending.count)) }
}
