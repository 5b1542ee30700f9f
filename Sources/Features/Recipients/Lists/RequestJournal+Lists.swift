import Base
package import FoundationEssentials
package import GRDB
package import NotificationModel
package import RequestJournal

/// The tables of the lists.
package struct ListTable: JournalTable {
    let limits: ListLimits
    let reader: JournalReader
    private let words = ListWords()

    package init(_ context: JournalContext) {
        limits = context.limits.lists
        reader = context.reader(for: .lists)
    }

    package static var erasedTables: [String] { ["listed", "listedName"] }
    package static var migrations: JournalMigrations { [5: ListRows.createTables, 13: ListRows.addContent] }

    package func record(_ event: JournalEvent, in transaction: inout JournalTransaction) throws {
        guard case .emitted(let content) = event, limits.most > 0, let names = content.facts?.names else { return }
        try ListRows(transaction.database).add(content, names, at: transaction.now, words)
        words.countAdded()
    }

    package func finish(_ transaction: inout JournalTransaction) throws {
        let added = words.takeAdded()
        if added > 0 { try ListRows(transaction.database).change(totalBy: added) }
    }

    package func erase(_ step: ErasureStep, in transaction: inout JournalTransaction) throws -> ErasureCounts {
        let rows = ListRows(transaction.database)
        for listed in step.listed { try rows.remove(listed) }
        if !step.listed.isEmpty { try rows.change(totalBy: -step.listed.count) }
        var counts = ErasureCounts()
        counts.listed = step.listed.count
        return counts
    }

    package func removeOld(atMost count: Int, in transaction: inout JournalTransaction) throws -> Bool {
        let rows = ListRows(transaction.database)
        let place = ListedNotification.place(of: transaction.date(before: limits.retention))
        return try rows.removeOldest(before: place, surplus: try rows.total() - limits.most, atMost: count) >= count
    }

    package func forgetRows() { words.forget() }

    /// Returns the names in the rows whose requests are not stored any more.
    package func texts(
        in group: AppGroupName, after place: Int, atMost count: Int, _ database: Database
    ) throws -> [StoredText] {
        try Row.fetchAll(
            database,
            sql: """
                \(ListRows.select) WHERE place > ?1 AND listed.appGroup = (SELECT number FROM listWord WHERE word = ?2)
                AND NOT EXISTS (SELECT 1 FROM request WHERE request.appGroup = ?2 AND request.id = listed.id)
                ORDER BY place LIMIT ?3
                """,
            arguments: [place, group.description, count]
        ).compactMap(ListedNotification.init).map { listed in
            let names = listed.names
            let text = ([names.providerID, names.recipient, names.thread] + names.labels).compactMap(\.self)
            return StoredText(
                place: listed.place, key: listed.key, values: [.bytes(Array(text.joined(separator: "\n").utf8))])
        }
    }
}

/// The lists of emitted notifications. They are read over a connection of their own, so that a long search delays
/// neither the requests nor the look-ups of recipients.
extension RequestJournal: NotificationListing {
    package nonisolated func reaches(_ date: Date) async -> Bool {
        let limits = self[ListTable.self].limits
        guard limits.most > 0 else { return false }
        let place = ListedNotification.place(of: date)
        let removed = ListedNotification.place(of: Date(timeIntervalSinceNow: -limits.retention.seconds))
        guard let (total, oldest) = try? await snapshot({ try ($0.total(), $0.oldest()) }) else {
            return false
        }
        // The oldest notifications are removed together, so those since the oldest one are all there.
        return oldest.map { place >= $0 } ?? false || (total < limits.most && place >= removed)
    }

    package nonisolated func list(_ query: ListQuery) async -> ListPage<ListedNotification>? {
        try? await snapshot { try $0.page(query) }
    }

    package nonisolated func threads(_ query: ListQuery) async -> ListPage<ListedThread>? {
        try? await snapshot { try $0.threads(query) }
    }

    package nonisolated func summary(_ query: ListQuery) async -> OutcomeSummary? {
        try? await snapshot { try $0.summary(query) }
    }

    private nonisolated func snapshot<Value: Sendable>(
        _ body: @escaping @Sendable (ListRows) throws -> Value
    ) async throws -> Value {
        try await self[ListTable.self].reader.snapshot { try body(ListRows($0)) }
    }
}
