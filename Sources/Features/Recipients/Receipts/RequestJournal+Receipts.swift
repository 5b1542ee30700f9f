import Base
import FoundationEssentials
import GRDB
package import NotificationModel
package import RequestJournal

/// The table of receipts.
package struct ReceiptTable: JournalTable {
    package init(_ context: JournalContext) {}

    package static var erasedTables: [String] { ["receipt"] }
    package static var migrations: JournalMigrations { [8: ReceiptRows.createTables] }
}

/// The receipts of some listed notifications.
private struct ReceiptChange: JournalChange {
    let receipt: Receipt
    /// The places of the notifications in the lists.
    let places: [Int]
    let isStored = Waiter<Bool>()

    var phase: JournalPhase { .late }

    func apply(to transaction: inout JournalTransaction) throws {
        let added = try ReceiptRows(transaction.database).add(receipt, at: places)
        try transaction.record(.receipt(receipt, places: added))
        transaction.afterCommit { _ in isStored.resume(returning: true) }
    }

    func refuse(because problem: String) -> Bool {
        isStored.resume(returning: false)
        return true
    }
}

/// The receipts of listed notifications. The notifications are searched over the connection of the lists, so that the
/// transaction, which requests share, only adds rows.
extension RequestJournal: ReceiptStoring {
    /// The maximum number of rows that a receipt adds to one transaction, in which requests may wait.
    private static let maxOfTransaction = 100

    package nonisolated func store(_ receipt: Receipt) async -> [RequestKey]? {
        // One page searches a limited number of notifications, so that a receipt delays no other reader of the lists.
        guard let found = await list(ListQuery(receipt))?.elements else { return nil }
        var rest = found.map(\.place)[...]
        while !rest.isEmpty {
            let change = ReceiptChange(receipt: receipt, places: Array(rest.prefix(Self.maxOfTransaction)))
            add(change)
            guard await change.isStored.value() else { return nil }
            rest = rest.dropFirst(Self.maxOfTransaction)
        }
        return found.map(\.key)
    }
}

extension ListQuery {
    /// Creates the question for the notifications of a receipt.
    fileprivate init(_ receipt: Receipt) {
        self.init(group: receipt.group)
        recipients = receipt.recipients
        limit = Receipt.most
        switch receipt.target {
        case .id(let id): self.id = id.description
        case .providerID(let id): providerID = id
        case .thread(let thread):
            self.thread = thread
            to = receipt.at.addingTimeInterval(1e-6)
        }
    }
}
