import Base
import NotificationModel
import RequestJournal

/// The numbers of changes and of recipients in the store.
struct RecipientTotals: Equatable {
    /// The number of changes that were ever made.
    var changes = 0
    var recipients = 0
}

/// The last changes of recipients, in a bounded table. The table shows whether a look-up is still valid without a read
/// of the disk.
///
/// The journal's thread notes the changes after their transaction and before their answers. A look-up takes its mark
/// before it reads the database. So a look-up that has missed a change has a mark that is older than the change.
final class RecipientChanges: Sendable {
    /// The number of last changed names that the table always has. It has at most twice this number.
    static let capacity = 8_192

    private struct State {
        /// The number of the last change, from 1. A look-up that failed has the number 0.
        var revision: UInt64
        var recipients: Int
        /// The number of the last change of each name.
        var changes: [RecipientName: UInt64] = [:]
        /// The changed names in the order of their changes.
        var order: [(name: RecipientName, revision: UInt64)] = []
        /// The number of the last change that the table may not have.
        var horizon: UInt64
    }

    private let state = Guarded(State(revision: 0, recipients: 0, horizon: 0))

    /// Returns the number of the last change, and whether any recipient is stored.
    func current() -> (revision: UInt64, isEmpty: Bool) { state.withLock { ($0.revision, $0.recipients == 0) } }

    /// Returns whether the recipient of a name may have changed since the look-up.
    func isStale(_ mark: RecipientMark) -> Bool {
        state.withLock { state in
            guard mark.revision >= state.horizon else { return true }
            guard mark.revision < state.revision, let change = state.changes[mark.name] else { return false }
            return change > mark.revision
        }
    }

    func note(_ names: Set<RecipientName>, _ totals: RecipientTotals) {
        state.withLock { state in
            state.recipients = totals.recipients
            guard !names.isEmpty else { return }
            // A revision grows by the number of changes at least, so that it never repeats after a restart.
            state.revision = max(state.revision + 1, UInt64(totals.changes) + 1)
            for name in names {
                state.changes[name] = state.revision
                state.order.append((name, state.revision))
            }
            guard state.order.count > 2 * Self.capacity else { return }
            let dropped = state.order.prefix(state.order.count - Self.capacity)
            for (name, revision) in dropped where state.changes[name] == revision { state.changes[name] = nil }
            state.horizon = dropped.last?.revision ?? state.horizon
            state.order.removeFirst(dropped.count)
        }
    }

    /// Makes all earlier look-ups stale, and takes the totals of a database that was opened.
    func startAgain(_ totals: RecipientTotals) {
        state.withLock { state in
            state.revision = max(state.revision, UInt64(totals.changes)) + 1
            state.horizon = state.revision
            state.recipients = totals.recipients
            (state.changes, state.order) = ([:], [])
        }
    }
}
