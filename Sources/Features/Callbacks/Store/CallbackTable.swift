import Base
import FoundationEssentials
package import GRDB
package import NotificationModel
package import RequestJournal

/// The tables of messages to callback targets, and the targets for which results and receipts add messages.
package final class CallbackTable: JournalTable {
    /// The targets that get messages, and the function that wakes their sender.
    struct Link: Sendable {
        let routing: CallbackRouting
        let added: @Sendable (Set<String>) -> Void
    }

    /// The maximum number of messages that an erasure removes in one transaction.
    private static let maxErased = 500

    private let limits: CallbackLimits
    /// The targets; `nil` if no target is configured.
    let link = Guarded<Link?>(nil)
    /// The names of the configured targets; `nil` until they are known.
    let targetNames = Guarded<Set<String>?>(nil)
    /// The number of pending messages that were removed because of the quota.
    let dropped = Guarded(0)

    let reader: JournalReader
    let listReader: JournalReader
    private let searchReader: JournalReader

    package init(_ context: JournalContext) {
        limits = context.limits.callbacks
        reader = context.reader(for: .deliveries)
        listReader = context.reader(for: .lists)
        searchReader = context.reader(for: .searches)
    }

    package static var erasedTables: [String] { ["callback"] }
    package static var migrations: JournalMigrations {
        [9: CallbackRows.createTables, 10: CallbackRows.changeTables]
    }

    package func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws {
        let (rows, now) = (CallbackRows(transaction.database), transaction.now)
        if case .discarded(let sequence) = event { return try rows.discard(requestsAfter: sequence) }
        let link = link.withLock { $0 }
        if case .emitted(let content) = event { warn(of: content, link?.routing, in: &transaction) }
        guard let link else { return }
        let added: Set<String> =
            switch event {
            case .emitted(let content): try rows.add(content, at: now, by: link.routing)
            case .choice(let recipient): try rows.add(optOutOf: recipient, at: now, by: link.routing)
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
            journal.warn(
                "callback",
                "the callback URL of the request \(content.key.id) has no message: "
                    + "no target with requests: true has its origin")
        }
    }

    package func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts {
        var counts = ErasureCounts()
        counts.callbacks = try CallbackRows(transaction.database).erase(step)
        return counts
    }

    /// Removes the messages about the target whose notifications are not in the lists. They are found over another
    /// connection, because the whole table is read, and removed in transactions between which others run.
    package func eraseRest(
        of step: ErasureStep, from journal: RequestJournal
    ) async throws(MediaFailure) -> ErasureCounts {
        var left: ArraySlice<Int>
        do { left = try await searchReader.snapshot { try CallbackRows($0).numbers(concerning: step) }[...] } catch {
            throw MediaFailure(.storageFailed, "the callbacks cannot be read: \(await journal.problem(for: error))")
        }
        var counts = ErasureCounts()
        while !left.isEmpty {
            let numbers = left.prefix(Self.maxErased)
            left = left.dropFirst(Self.maxErased)
            counts.callbacks += try await journal.write { try CallbackRows($0.database).remove(numbers) }
            await Task.yield()
        }
        return counts
    }

    package func texts(
        in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database
    ) throws -> [StoredText] { try CallbackRows(database).texts(in: group, after: place, atMost: count) }

    package func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        let rows = CallbackRows(transaction.database)
        let date = transaction.date(before: limits.retention)
        let unwanted =
            try targetNames.withLock { $0 }.map { try rows.forget(createdBefore: date, except: $0, atMost: count) } ?? 0
        let removed = try rows.forget(endedBefore: date, above: limits.quota, atMost: count)
        if unwanted > 0 {
            transaction.afterCommit { journal in
                journal.warn(
                    "callbacks without target",
                    "\(unwanted) pending callbacks were removed after callbacks.retention, because callbacks.targets "
                        + "does not list their targets")
            }
        }
        if removed.pending > 0 {
            transaction.afterCommit { [self] journal in
                dropped.withLock { $0 += removed.pending }
                journal.warn(
                    "callbacks",
                    "\(removed.pending) pending callbacks were removed, because callbacks.quota is full: "
                        + "appgroupd callbacks ls shows the targets that do not answer")
            }
        }
        return removed.all >= count || unwanted >= count
    }
}
