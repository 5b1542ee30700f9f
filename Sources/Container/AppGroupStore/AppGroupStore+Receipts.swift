import Base
import FoundationEssentials
import GRDB
package import NotificationModel

/// The times of receipts in the index, for apps that display messages from it.
extension AppGroupStore: ReceiptShowing {
    package func show(_ receipt: Receipt, for keys: [RequestKey]) async {
        guard let column = ContainerIndex.column(of: receipt.event) else { return }
        await writeMessages()
        let seconds = Int(receipt.at.timeIntervalSince1970)
        guard hasIndex(of: receipt.group) else {
            for key in keys { earlyReceipts.add(seconds, in: column, of: key) }
            return
        }
        do {
            let missing = try withIndex(of: receipt.group) { index in
                try index.note(seconds, in: column, of: keys.map(\.id.description))
            }
            for key in keys where missing.contains(key.id.description) {
                earlyReceipts.add(seconds, in: column, of: key)
            }
        } catch {
            warnings.report("receipts", "the receipts of \(receipt.group) cannot be written to the index: \(error)")
        }
    }
}

extension AppGroupStore {
    /// Writes the times of receipts that came before their message.
    func noteEarlyReceipts(of id: RequestID, in group: AppGroupName) throws {
        for (column, seconds) in earlyReceipts.take(RequestKey(group: group, id: id)) {
            _ = try withIndex(of: group) { try $0.note(seconds, in: column, of: [id.description]) }
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

    /// Writes a time, in one transaction, to the messages that do not have it yet.
    ///
    /// - Returns: The ids of which the index has no message.
    func note(_ seconds: Int, in column: String, of ids: [String]) throws -> Set<String> {
        try database.write { database in
            let update = try database.cachedStatement(
                sql: "UPDATE message SET \(column) = coalesce(\(column), ?) WHERE id = ?")
            return try ids.reduce(into: []) { missing, id in
                try update.execute(arguments: [seconds, id])
                if database.changesCount == 0 { missing.insert(id) }
            }
        }
    }
}

/// The times of receipts for messages that the index does not have yet, or never gets. A message is written a moment after
/// its result, and a fast device may report it before.
struct EarlyReceipts {
    /// The maximum number of messages. The oldest ones are forgotten first.
    static let most = 1_024

    /// The seconds since 1970 in each column, by message.
    private var times: [RequestKey: [String: Int]] = [:]
    private var order: [RequestKey] = []

    mutating func add(_ seconds: Int, in column: String, of key: RequestKey) {
        if times[key] == nil {
            order.append(key)
            if order.count > Self.most { times[order.removeFirst()] = nil }
        }
        times[key, default: [:]][column, default: seconds] = min(times[key]?[column] ?? seconds, seconds)
    }

    /// Returns the times of a message, and forgets them.
    mutating func take(_ key: RequestKey) -> [String: Int] {
        guard let columns = times.removeValue(forKey: key) else { return [:] }
        order.removeAll { $0 == key }
        return columns
    }
}
