import LinuxIO
import NotificationModel

/// What the spool wants done next, outside of its thread.
enum SpoolStep: Sendable {
    /// All at the same time. Empty: ask again.
    case work([SpoolWork])
    /// Nothing, until something changes or the time comes.
    case wait(until: MonotonicInstant)
    /// Nothing any more.
    case end
}

enum SpoolWork: Sendable {
    case submit(Claim)
    /// A file whose name another, claimed one has.
    case askAbout(SpoolFile)
}

/// What became of a claim.
enum ClaimOutcome: Sendable {
    case admission(Admission)
    case unusable(PayloadError)
}

/// How much the spool takes at a time, and how long it waits.
package struct SpoolLimits: Sendable {
    /// Of a payload file, in bytes.
    package var fileBytes = 4 << 20
    /// Files that are claimed and not yet accepted, at most: so many share a commit of the journal.
    package var inFlight = 64
    /// Names that are remembered of a group; past it its folder is read again instead.
    package var names = 4_096
    /// A file of which the kernel does not tell whether somebody writes is left alone until it has not changed for so
    /// long.
    package var quiet: Duration = .seconds(2)
    /// After an error of the disk or the journal.
    package var pause: Duration = .seconds(2)
    /// The pause before large files that got no lease are tried again.
    package var roomPause: Duration = .milliseconds(100)
    /// The folders are read again so often, for what no event tells: files on network file systems, links to files that
    /// others have open.
    package var lookAgain: Duration = .seconds(60)
    /// Most directories that are read at a time, each with a descriptor. Other groups wait.
    package var openDirectories = 16
    /// Most folders that are watched. A group needs two of them.
    package var watches = 65_536
    /// The pause between two looks at the groups without a watch.
    package var unwatchedLook: Duration = .seconds(1)

    package init() {}
}

/// The four folders of one group, and the names in them.
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

    /// Makes those that are missing. The root exists.
    func make() throws(SystemError) {
        // `incoming` is the last: who sees it finds the others.
        for directory in [group, claimed, rejected, outbox, incoming] { try FileSystem.makeDirectory(directory) }
    }
}

/// The name of a file in the spool.
enum SpoolName {
    static let ending = ".json"

    /// Whether a file of this name is handed in: what others keep beside it (`.tmp`, `.part`, hidden ones) is theirs.
    static func isPayload(_ name: String) -> Bool { name.hasSuffix(ending) && !name.hasPrefix(".") }

    /// Whether a file of this name was probably meant to be handed in. Hidden files and the usual names of files that
    /// are being written belong to their writers, who rename them.
    static func isMistaken(_ name: String) -> Bool {
        !isPayload(name) && !name.hasPrefix(".") && !name.hasSuffix("~")
            && ![".tmp", ".temp", ".part", ".partial", ".swp", ".lock"].contains { name.lowercased().hasSuffix($0) }
    }

    /// Without the ending. What `isPayload` says no to is not asked.
    static func stem(_ name: String) -> String { String(name.dropLast(ending.count)) }
}
