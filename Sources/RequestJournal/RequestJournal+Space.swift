import NotificationModel
import Primitives
import SQLiteFiles

/// The handling of a full disk: the HTTP cache evicts responses, and the failed write is tried again.
extension RequestJournal {
    /// The number of bytes to free in addition to the written bytes, for pages of the WAL and blocks of directories.
    static let margin = DiskSpace.step

    /// Asks for disk space, and writes the changes again when space was freed or cannot be freed.
    func ask(for list: Pending) {
        let byteCount = list.byteCount + Self.margin
        asking = Task {
            let isGiven = await freeSpace(byteCount)
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
    /// The approximate size of the write, in bytes. A result from the spool counts twice: its bytes are in a file and
    /// in the journal.
    var byteCount: Int {
        entries.reduce(0) { $0 + $1.acceptance.byteCount }
            + emissions.reduce(0) { $0 + 2 * $1.content.json.count }
    }
}
