package import FoundationEssentials
import LinuxIO
import NotificationModel

/// Compares the indexes of a root with its files, byte by byte, and names every damage.
///
/// It works beside a daemon. Each look into an index is a short transaction of a connection of its own, and files are read
/// between them at the lowest priority for the disk. Damage is confirmed by a second look at the row, because the daemon
/// may have changed both since the first one. A file without a row is no damage for an hour, as its row may be on the way.
///
/// The comparisons are pure (`BodyFinding`, `MediaFinding`); repairs are transactions of their own (`StoreRepairer`).
package struct StoreInspection {
    /// How long a file may be without its row.
    static let longestOnTheWay: TimeInterval = 3_600

    let root: String
    let now: Date
    private let repairer: StoreRepairer?
    private let tell: (StoreDamage) -> Void
    let progress: (InspectionReport) -> Void

    /// - Parameters:
    ///   - repairs: whether damage is repaired as it is found.
    ///   - hasDaemon: whether a daemon serves the root. A damaged index is left to it.
    ///   - tell: called with each damage.
    ///   - progress: called for each row with what has been compared so far.
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

    /// Inspects the HTTP cache and the containers of all groups. Blocks: it is called on a thread of its own.
    ///
    /// - Throws: ``IndexProblem`` if an index cannot be read and is not damaged.
    package func run() throws -> InspectionReport {
        ThreadPriority.lower()
        var report = InspectionReport()
        try IndexProblem.naming("\(root)/\(ResponseCache.directoryName)/index.sqlite") { try inspectCache(&report) }
        for group in AppGroupStore.groups(in: root) {
            try IndexProblem.naming("\(root)/\(group)/index.sqlite") { try inspect(group, &report) }
        }
        return report
    }

    /// Adds a damage to a report, and repairs it.
    ///
    /// - Parameter group: `nil` for the HTTP cache.
    func add(
        _ kind: StoreDamage.Kind, _ path: String, key: String? = nil, _ detail: String, repair: StoreRepair,
        in group: AppGroupName? = nil, to report: inout InspectionReport
    ) {
        let isRepaired = repairer.map { $0.repair(repair, in: group) }
        let damage = StoreDamage(kind: kind, path: path, key: key, detail: detail, isRepaired: isRepaired)
        report.damages.append(damage)
        tell(damage)
    }

    /// Whether a file without a row is older than it would be on its way.
    func isOld(_ status: FileStatus) -> Bool {
        now.timeIntervalSince(status.modificationDate) > Self.longestOnTheWay
    }
}
