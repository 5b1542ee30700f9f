import LinuxIO
import NotificationModel

/// A full disk: somebody who can do without gives way, and what was to be written is tried again.
extension RequestJournal {
    /// Pages of the WAL, blocks of folders: what there must be besides the bytes that are written.
    static let margin = DiskRoom.step

    /// Writes again when room was made, or when there is none to be had.
    func ask(for list: Pending) {
        let byteCount = list.byteCount + Self.margin
        asking = Task {
            let isGiven = await makeRoom(byteCount)
            asking = nil
            pending.withLock { pending in
                var list = list
                list.add(pending)
                list.isScheduled = pending.isScheduled
                pending = list
            }
            write(mayAsk: isGiven)
        }
    }
}

extension RequestJournal.Pending {
    /// About what writing it takes: a result from the spool is in a file and in the journal.
    var byteCount: Int {
        entries.reduce(0) { $0 + $1.acceptance.byteCount }
            + emissions.reduce(0) { $0 + 2 * $1.content.json.count }
    }
}
