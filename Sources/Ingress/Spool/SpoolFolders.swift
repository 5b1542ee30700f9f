import LinuxIO
import NotificationModel

/// The four folders of one group, and the names in them.
struct SpoolFolders: Sendable {
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
        for folder in [group, claimed, rejected, outbox, incoming] { try FileSystem.makeFolder(folder) }
    }
}

/// The name of a file in the spool.
enum SpoolName {
    static let ending = ".json"

    /// Whether a file of this name is handed in: what others keep beside it (`.tmp`, `.part`, hidden ones) is theirs.
    static func isPayload(_ name: String) -> Bool { name.hasSuffix(ending) && !name.hasPrefix(".") }

    /// Without the ending. What `isPayload` says no to is not asked.
    static func stem(_ name: String) -> String { String(name.dropLast(ending.count)) }
}
