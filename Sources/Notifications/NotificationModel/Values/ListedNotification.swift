package import FoundationEssentials

/// The names under which lists find an emitted notification. Lists keep them for longer than the result.
package struct ListedNames: Sendable, Equatable {
    /// The dialect that read the payload; `nil` if no dialect recognises it.
    package var provider: String?
    /// The provider's id of the message; `nil` if the payload has none.
    package var providerID: String?
    /// The name of the recipient, as the request has it.
    package var recipient: String?
    /// The thread of the notification: the conversation or the room.
    package var thread: String?
    package var labels: [String] = []
    /// Whether the notification has something that a phone shows; `nil` if this is not known.
    package var hasContent: Bool?

    package init() {}

    /// Takes the names from a notification.
    ///
    /// - Parameter name: The name of a stored recipient; `nil` if the request names none.
    package init(_ notification: ProcessedNotification, recipient name: RecipientName?) {
        provider = notification.payload.dialect?.description
        providerID = notification.payload.providerID
        recipient = name?.name ?? notification.recipient
        thread = notification.payload.aps.threadIdentifier
        labels = notification.labels
        hasContent = notification.hasContent
    }
}

/// An emitted notification in a list.
package struct ListedNotification: Sendable, Equatable {
    /// The place in the order of lists: the time of the emission in microseconds since 1970, or one of the next
    /// microseconds if several notifications have the same time.
    package var place: Int
    package var key: RequestKey
    package var outcome: Outcome
    package var reason: DegradationReason?
    package var names: ListedNames
    /// The times of the first receipts of each event.
    package var receipts: [Receipt.Event: Date] = [:]

    package init(place: Int, key: RequestKey, outcome: Outcome, reason: DegradationReason?, names: ListedNames) {
        self.place = place
        self.key = key
        self.outcome = outcome
        self.reason = reason
        self.names = names
    }

    /// Whether the notification counts in its thread. A notification whose content is not known counts.
    package var isCounted: Bool { names.hasContent.map { $0 && outcome.isShown && !key.id.isOfPreparation } ?? true }

    package var emittedAt: Date { Self.date(of: place) }

    package static func date(of place: Int) -> Date { Date(timeIntervalSince1970: Double(place) / 1e6) }

    /// Returns the first place at a date. A date that is further away than 10,000 years has the nearest place.
    package static func place(of date: Date) -> Int {
        Int((min(max(date.timeIntervalSince1970, -3e11), 3e11) * 1e6).rounded())
    }
}

/// A thread in a list, with the number of its notifications.
package struct ListedThread: Sendable, Equatable {
    /// The notification of the thread that comes first in the order of the list.
    package var first: ListedNotification
    /// The number of notifications of the thread, at most ``most``.
    package var count: Int
    /// The number of these notifications that were shown, and that no receipt reports as read or deleted, at most
    /// ``most``.
    package var unread: Int

    /// The number of notifications up to which a thread is counted.
    package static let most = 100

    package init(first: ListedNotification, count: Int, unread: Int) {
        self.first = first
        self.count = count
        self.unread = unread
    }
}
