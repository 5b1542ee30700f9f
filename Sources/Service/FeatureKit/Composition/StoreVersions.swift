import AppGroupStore
import Base
import FoundationEssentials
import Glibc
package import LinuxIO
package import NotificationModel
package import RequestJournal

/// The versions of the stores of a root, and the program that has written them.
package struct StoreVersions {
    /// The number of app groups whose indexes are read. Each takes less than a millisecond.
    package static let maxGroups = 1_000

    /// The last migration of the journal, and that of this program; `nil` without a journal.
    package let journal: (stored: Int, own: Int)?
    /// The indexes of app groups that have another version than those of this program, and the number of all.
    package let indexes: (other: [(group: AppGroupName, version: Int)], count: Int)
    /// The version of indexes of this program.
    package let ownIndex: Int
    /// The program of the last daemon; `nil` if it did not write its name.
    package let program: String?

    /// - Parameter tables: The tables of all features.
    package init(of root: String, tables: [any JournalTable.Type]) {
        journal = RequestJournal.versions(in: root, tables: tables)
        ownIndex = ContainerIndex.version
        let groups = AppGroupStore.groups(in: root).prefix(Self.maxGroups)
        let found = groups.compactMap { group in
            ContainerIndex.versions(of: "\(root)/\(group)/index.sqlite").map { (group: group, version: $0.stored) }
        }
        indexes = (found.filter { [own = ownIndex] in $0.version != own }, found.count)
        program = Self.program(of: root)
    }

    /// The paths of the first indexes of a root.
    private static func indexes(in root: String) -> [String] {
        AppGroupStore.groups(in: root).prefix(maxGroups).map { "\(root)/\($0)/index.sqlite" }
    }

    private static func program(of root: String) -> String? {
        (try? FileSystem.contents(of: path(in: root))).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").joined()
        }
    }

    private static func path(in root: String) -> String { "\(root)/\(RequestJournal.directoryName)/program" }

    /// Writes the name of this program as the one that writes to the stores from now on.
    package static func noteProgram(in root: String) throws(SystemError) {
        try FileSystem.replace(path(in: root), with: Array("\(Installation.description)\n".utf8))
    }

    /// Refuses a root that a newer version has used, if one of the first indexes shows it. The journal and the other
    /// indexes are checked when they are opened, before anything is written.
    ///
    /// - Throws: A failure with status 1 that names the first index of a newer version.
    package static func checkIndexes(in root: String) throws(CommandFailure) {
        guard let path = indexes(in: root).first(where: ContainerIndex.isNewer) else { return }
        throw CommandFailure(.failed, "\(path): \(NewerIndex())")
    }

    /// Refuses to open stores of a daemon of an older version, because opening would migrate them while that daemon uses
    /// them.
    ///
    /// - Throws: A failure with status 1 that names the first index of an older version.
    package static func checkMigrations(in root: String) throws(CommandFailure) {
        guard let holder = try? RequestJournal.holder(of: root),
            holder.pid != getpid()
        else { return }
        // A daemon of this build migrates the indexes one by one.
        if Build.isKnown, program(of: root) == Installation.description { return }
        for path in indexes(in: root) {
            guard let (stored, own) = ContainerIndex.versions(of: path), stored > 0, stored < own else { continue }
            throw CommandFailure(
                .failed,
                "\(path): the daemon of this root is of an older version, and this command would change the index: "
                    + "restart the daemon with this version first")
        }
    }
}
