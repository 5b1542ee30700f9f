import Base
import FoundationEssentials
import GRDB
import NotificationModel

/// The tables of messages to callback targets, and the targets for which results and receipts add messages.
final class CallbackTable: JournalTable {
    /// The targets that get messages, and the function that wakes their sender.
    struct Link: Sendable {
        let routing: CallbackRouting
        let added: @Sendable (Set<String>) -> Void
    }

    private let limits: CallbackLimits
    /// The targets; `nil` if no target is configured.
    let link = Guarded<Link?>(nil)
    /// The names of the configured targets; `nil` until they are known.
    let targetNames = Guarded<Set<String>?>(nil)
    /// The number of pending messages that were removed because of the quota.
    let dropped = Guarded(0)

    init(limits: CallbackLimits) { self.limits = limits }

    static var erasedTables: [String] { ["callback"] }
    static var migrations: JournalMigrations {
        [9: CallbackRows.createTables, 10: CallbackRows.changeTables]
    }

    func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws {
        let (rows, now) = (CallbackRows(transaction.database), transaction.now)
        if case .discarded(let sequence) = event { return try rows.discard(requestsAfter: sequence) }
        let link = link.withLock { $0 }
        if case .emitted(let content) = event { warn(of: content, link?.routing, in: &transaction) }
        guard let link else { return }
        let added: Set<String> =
            switch event {
            case .emitted(let content): try rows.add(content, at: now, by: link.routing)
            case .choice(let receiver): try rows.add(optOutOf: receiver, at: now, by: link.routing)
            case .receipt(let receipt, let places):
                try places.compactMap(ListRows(transaction.database).notification).reduce(into: []) { added, listed in
                    added.formUnion(try rows.add(receipt, of: listed, at: now, by: link.routing))
                }
            case .discarded: []
            }
        if !added.isEmpty { transaction.afterCommit { _ in link.added(added) } }
    }

    /// Warns of a request whose callback URL no target permits.
    private func warn(
        of content: EmittedContent, _ routing: CallbackRouting?, in transaction: inout JournalTransaction
    ) {
        guard let url = content.facts?.callback,
            routing?.target(forRequestURL: url, in: content.key.group) == nil
        else { return }
        transaction.afterCommit { journal in
            journal.warnings.report(
                "callback",
                "the callback URL of the request \(content.key.id) has no message: "
                    + "no target with requests: true has its origin")
        }
    }

    func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts {
        var counts = ErasureCounts()
        counts.callbacks = try CallbackRows(transaction.database).erase(step)
        return counts
    }

    func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        let rows = CallbackRows(transaction.database)
        let date = transaction.date(before: limits.retention)
        let unwanted =
            try targetNames.withLock { $0 }.map { try rows.forget(createdBefore: date, except: $0, atMost: count) } ?? 0
        let removed = try rows.forget(endedBefore: date, above: limits.quota, atMost: count)
        if unwanted > 0 {
            transaction.afterCommit { journal in
                journal.warnings.report(
                    "callbacks without target",
                    "\(unwanted) pending callbacks were removed after callbacks.retention, because callbacks.targets "
                        + "does not list their targets")
            }
        }
        if removed.pending > 0 {
            transaction.afterCommit { [self] journal in
                dropped.withLock { $0 += removed.pending }
                journal.warnings.report(
                    "callbacks",
                    "\(removed.pending) pending callbacks were removed, because callbacks.quota is full: "
                        + "appgroupd callbacks ls shows the targets that do not answer")
            }
        }
        return removed.all >= count || unwanted >= count
    }
}
