import LinuxIO
import NotificationModel

/// A full disk: somebody who can do without gives way, and what was to be written is tried again.
extension RequestJournal {
    /// Pages of the WAL, blocks of folders: what there must be besides the bytes that are written.
    static let margin = 1 << 20

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

    /// Tries as long as room is made for it.
    static func withRoom<Value>(
        from makeRoom: @Sendable (_ byteCount: Int) async -> Bool, isolation: isolated (any Actor)? = #isolation,
        _ body: () throws -> Value
    ) async throws -> Value {
        while true {
            do { return try body() } catch  where isFull(error) {
                guard await makeRoom(margin) else { throw error }
            }
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        (error as? SystemError)?.isDiskFull ?? JournalDatabase.isFull(error)
    }
}

extension RequestJournal.Pending {
    /// About what writing it takes: a result from the spool is in a file and in the journal.
    var byteCount: Int {
        entries.reduce(0) { $0 + $1.acceptance.byteCount }
            + emissions.reduce(0) { $0 + 2 * $1.content.json.count }
    }
}
