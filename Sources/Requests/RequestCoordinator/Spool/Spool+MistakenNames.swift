import Base
import LinuxIO
import Logging
import NotificationModel

/// The detection of files in `incoming` that stay there because their names do not end in `.json`. Without a line in
/// the log, an operator would wait for their results.
extension Spool {
    /// The maximum number of files of a group for which the log has separate lines. If a program writes thousands of
    /// files, the other files share one line.
    private static let maxMistaken = 64

    /// The time for a writer to rename a file, because many programs write under another name first.
    private static let patience: Duration = .seconds(2)
    /// The maximum number of files that wait for their check. The scan of each minute finds the other files.
    private static let maxSuspects = 64

    /// Records a file that was written or moved in. The file is logged if it still exists after a while.
    func noteMistaken(_ name: String, in group: GroupSpool) {
        guard suspects.count < Self.maxSuspects, group.mistaken.count <= Self.maxMistaken,
            SpoolName.isMistaken(name), !group.mistaken.contains(name)
        else { return }
        suspects.append((SpoolFile(group: group.name, name: name), clock.now.advanced(by: Self.patience)))
    }

    func reportSuspects(at now: MonotonicInstant) {
        while let suspect = suspects.first, suspect.at <= now {
            suspects.removeFirst()
            if let group = groups[suspect.file.group] { reportMistaken(suspect.file.name, in: group) }
        }
    }

    /// Logs a file once in the life of the daemon.
    func reportMistaken(_ name: String, in group: GroupSpool) {
        guard group.mistaken.count <= Self.maxMistaken, !group.mistaken.contains(name),
            (try? FileSystem.look(at: group.directories.incoming(name)))?.kind == .regular
        else { return }
        group.mistaken.insert(name)
        guard group.mistaken.count <= Self.maxMistaken else {
            logger.warning(
                "further files in incoming are not taken, because their names do not end in .json",
                metadata: ["group": "\(group.name)"])
            return
        }
        logger.warning(
            "a file in incoming is not taken, because its name does not end in .json: rename it",
            metadata: ["group": "\(group.name)", "file": "\(VisibleText.of(name))"])
    }
}
