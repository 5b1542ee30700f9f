import LinuxIO
import Logging
import NotificationModel

/// Files in `incoming` that stay there, because their names do not end in `.json`. Without a line in the log, an
/// operator waits for their results.
extension Spool {
    /// Files of a group that have a line of their own. The files of a program that hands in thousands share one line.
    private static let mostMistaken = 64

    /// Time for a writer to give a file its name: many programs write under another name first.
    private static let patience: Duration = .seconds(2)
    /// Files that wait for their look. The look at the whole directory, each minute, finds the others.
    private static let mostSuspects = 64

    /// Notes a file that was written or moved in, and is logged if it is still there after a while.
    func noteMistaken(_ name: String, in group: GroupSpool) {
        guard suspects.count < Self.mostSuspects, group.mistaken.count <= Self.mostMistaken,
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

    /// Logs a file once, as long as the daemon runs.
    func reportMistaken(_ name: String, in group: GroupSpool) {
        guard group.mistaken.count <= Self.mostMistaken, !group.mistaken.contains(name),
            (try? FileSystem.look(at: group.directories.incoming(name)))?.kind == .regular
        else { return }
        group.mistaken.insert(name)
        guard group.mistaken.count <= Self.mostMistaken else {
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
