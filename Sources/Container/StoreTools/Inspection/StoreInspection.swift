import AppGroupStore
package import FoundationEssentials
import HTTPCaching
import LinuxIO
import NotificationModel

/// An inspection that compares the indexes of a root with its files, byte by byte, and reports all damage.
///
/// An inspection may run while a daemon uses the root. Each query of an index is a short transaction over a separate
/// connection. Files are read between the queries, at the lowest disk priority. The daemon may have changed the row and
/// the file since the first query of the row. A second query therefore confirms each case of damage. A file without a
/// row is not damage during its first hour, as its row may still be written.
///
/// The comparisons do no I/O (`BodyFinding`, `MediaFinding`). Repairs are separate transactions (`StoreRepairer`).
///
/// To add a new check, do this: write the comparison in `StoreInspection+Cache.swift` or
/// `StoreInspection+Container.swift`, and pass the damage with its ``StoreRepair`` to `add`. Then add a case to
/// `StoreInspectionPlainTests`, which plants the damage, and checks that it is found and repaired. Describe the damage
/// in `docs/operate/cache-command.md`.
package struct StoreInspection {
    /// The time in seconds for which a file may exist without its row.
    static let maxOnTheWay: TimeInterval = 3_600

    let root: String
    let now: Date
    let repairer: StoreRepairer?
    private let tell: (StoreDamage) -> Void
    let progress: (InspectionReport) -> Void

    /// - Parameter repairs: Whether damage is repaired as soon as it is found.
    /// - Parameter hasDaemon: Whether a daemon serves the root. The daemon then replaces a damaged index itself.
    /// - Parameter tell: A function that receives each case of damage.
    /// - Parameter progress: A function that receives the report so far, once for each row.
    package init(
        root: String, at now: Date = Date(), repairs: Bool = false, hasDaemon: Bool = false,
        tell: @escaping (StoreDamage) -> Void = { _ in },
        progress: @escaping (InspectionReport) -> Void = { _ in }
    ) {
        self.root = root
        self.now = now
        self.tell = tell
        self.progress = progress
        repairer = repairs ? StoreRepairer(root: root, now: now, hasDaemon: hasDaemon) : nil
    }

    /// Inspects the HTTP cache and the containers of all groups. The call blocks, so it needs a separate thread. Throws
    /// ``IndexProblem`` if an index cannot be read and is not damaged.
    package func run() throws -> InspectionReport {
        ThreadPriority.lower()
        var report = InspectionReport()
        try IndexProblem.naming("\(root)/\(ResponseCache.directoryName)/index.sqlite") { try inspectCache(&report) }
        for group in AppGroupStore.groups(in: root) {
            try IndexProblem.naming("\(root)/\(group)/index.sqlite") { try inspect(group, &report) }
        }
        return report
    }

    /// Adds a case of damage in a group, or else in the HTTP cache, to a report, and repairs it if that is requested.
    func add(
        _ kind: StoreDamage.Kind, _ path: String, key: String? = nil, _ detail: String, repair: StoreRepair,
        in group: AppGroupName? = nil, to report: inout InspectionReport
    ) {
        let isRepaired = repairer.map { $0.repair(repair, in: group) }
        let damage = StoreDamage(kind: kind, path: path, key: key, detail: detail, isRepaired: isRepaired)
        report.damages.append(damage)
        tell(damage)
    }

    /// Returns whether a file without a row is so old that its row should exist.
    func isOld(_ status: FileStatus) -> Bool { now.timeIntervalSince(status.modificationDate) > Self.maxOnTheWay }
}
