import FoundationEssentials
package import NotificationModel
import Primitives

/// The receipts of some listed notifications, which wait for their transaction.
struct ReceiptWrite: Sendable {
    let receipt: Receipt
    /// The places of the notifications in the lists.
    let places: [Int]
    let isStored = Waiter<Bool>()
}

/// The receipts of listed notifications. The notifications are searched over the connection of the lists, so that the
/// transaction, which requests share, only adds rows.
extension RequestJournal: ReceiptStoring {
    /// The maximum number of rows that a receipt adds to one transaction, in which requests may wait.
    private static let mostOfTransaction = 100

    package nonisolated func store(_ receipt: Receipt) async -> [RequestKey]? {
        // One page searches a limited number of notifications, so that a receipt delays no other reader of the lists.
        guard let found = await list(ListQuery(receipt))?.elements else { return nil }
        var rest = found.map(\.place)[...]
        while !rest.isEmpty {
            let write = ReceiptWrite(receipt: receipt, places: Array(rest.prefix(Self.mostOfTransaction)))
            add { $0.receipts.append(write) }
            guard await write.isStored.value() else { return nil }
            rest = rest.dropFirst(Self.mostOfTransaction)
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
