import FoundationEssentials
import GRDB
package import NotificationModel
import Primitives

/// The times of receipts in the index, for apps that display messages from it.
extension AppGroupStore: ReceiptShowing {
    package func show(_ receipt: Receipt, for keys: [RequestKey]) async {
        guard let column = ContainerIndex.column(of: receipt.event) else { return }
        await writeMessages()
        guard hasIndex(of: receipt.group) else { return }
        do {
            try withIndex(of: receipt.group) { try $0.note(receipt.at, in: column, of: keys.map(\.id.description)) }
        } catch {
            warnings.report("receipts", "the receipts of \(receipt.group) cannot be written to the index: \(error)")
        }
    }
}

extension ContainerIndex {
    /// Returns the column of `message` with the time of an event; `nil` if the index does not have the event.
    static func column(of event: Receipt.Event) -> String? {
        switch event {
        case .delivered: "deliveredAt"
        case .read: "readAt"
        case .clicked, .unseen, .dismissed, .deleted: nil
        }
    }

    /// Writes a time to messages that do not have it yet.
    func note(_ date: Date, in column: String, of ids: [String]) throws {
        try database.write { database in
            let update = try database.cachedStatement(
                sql: "UPDATE message SET \(column) = ? WHERE id = ? AND \(column) IS NULL")
            for id in ids { try update.execute(arguments: [Int(date.timeIntervalSince1970), id]) }
        }
    }
}
