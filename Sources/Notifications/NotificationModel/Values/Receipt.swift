package import FoundationEssentials

/// A report by a device, or by the app's server, of what happened to emitted notifications.
package struct Receipt: Sendable, Equatable {
    package enum Event: String, Sendable, CaseIterable {
        /// The device has received the push.
        case delivered
        /// The user has opened the notification.
        case clicked
        /// The device has received the push, but has not shown it, because the app was in the foreground.
        case unseen
        /// The user has read the message, on this device or on another one.
        case read
        /// The user has removed the notification without opening it.
        case dismissed
        /// The message was deleted from its conversation.
        case deleted

        /// Whether the message is not to be shown any more, so that its requests without a result are cancelled.
        package var takesBack: Bool { self == .read || self == .deleted }
    }

    package enum Target: Sendable, Equatable {
        case id(RequestID)
        /// All notifications of a message, by the provider's id.
        case providerID(String)
        /// All notifications of a thread up to the time of the receipt.
        case thread(String)
    }

    package var group: AppGroupName
    package var target: Target
    package var event: Event
    /// The time at which it happened on the device.
    package var at: Date
    /// The names of the recipient; `nil` for notifications to any recipient.
    package var recipients: [String]?
    /// The names of the person that caused the provider's event, empty if the event concerns each recipient; `nil` for a
    /// receipt that no event reported.
    package var reporters: [String]?

    package init(group: AppGroupName, target: Target, event: Event, at: Date) {
        self.group = group
        self.target = target
        self.event = event
        self.at = at
    }

    /// Returns whether a request is for the message of the receipt.
    package func concerns(_ planned: any PlannedNotification) -> Bool {
        let request = planned.request
        // No device gets the preparation of a named message.
        guard request.appGroup == group, !request.id.isOfPreparation else { return false }
        let isTarget =
            switch target {
            case .id(let id): request.id == id
            case .providerID(let id): planned.providerID == id
            case .thread(let thread): planned.thread == thread && request.receivedAt <= at
            }
        guard isTarget, let recipients else { return isTarget }
        return [request.recipient, request.recipientLookup?.mark.name.name].contains { name in
            name.map(recipients.contains) ?? false
        }
    }
}

/// The receipt that an event of a provider reports about a message or a conversation of its recipient.
package struct ReportedReceipt: Sendable, Equatable {
    package var event: Receipt.Event
    package var target: Receipt.Target
    /// The names of the person that caused the event; empty if the event concerns each recipient.
    package var readers: [String]

    package init(_ event: Receipt.Event, of target: Receipt.Target, by readers: [String] = []) {
        self.event = event
        self.target = target
        self.readers = readers
    }
}

/// The port that takes the receipts in events of providers.
package protocol ReportedReceiptIntake: Sendable {
    /// Records a receipt under all names of its recipient.
    ///
    /// - Returns: `false` if the receipt could not be stored.
    func record(_ receipt: Receipt) async -> Bool
}

/// The port to the copies of messages that apps display, which have the times of some receipts.
package protocol ReceiptShowing: Sendable {
    /// Writes the time of a receipt to the copies of notifications. A failure is only reported, because the journal has
    /// the receipt.
    func show(_ receipt: Receipt, for keys: [RequestKey]) async
}

extension Receipt {
    /// The maximum number of notifications of one receipt.
    package static let most = 1_000
}
