package import NotificationModel

/// The port to the journal of receipts.
package protocol ReceiptStoring: Sendable {
    /// Stores a receipt for each listed notification that it names, and returns when the receipts are durable. A
    /// notification keeps its first receipt of each event, so a repeated receipt has no further effect.
    ///
    /// - Returns: The notifications that have the receipt: the newest ones, at most ``Receipt/most``. `nil` if the
    ///   journal cannot be read or written.
    func store(_ receipt: Receipt) async -> [RequestKey]?
}

/// The port that takes receipts from devices.
package protocol ReceiptIntake: Sendable {
    func record(_ receipt: Receipt) async -> ReceiptAnswer
}

package enum ReceiptAnswer: Sendable, Equatable {
    /// The numbers of notifications that have the receipt, and of requests without a result that were cancelled.
    case recorded(notifications: Int, cancelled: Int)
    /// No listed notification has the id or the thread and was emitted to the recipient.
    case unknown
    case failed
}
