package import FoundationEssentials

/// A question for a list of emitted notifications of one app group. All conditions apply together.
package struct ListQuery: Sendable, Equatable {
    package enum Order: String, Sendable { case newest, oldest }

    package var group: AppGroupName
    /// Whether the notifications of all groups are listed, and not only those of ``group``.
    package var isInAllGroups = false
    package var id: String?
    package var providerID: String?
    /// The names of the recipient; `nil` for all recipients.
    package var recipients: [String]?
    package var thread: String?
    package var label: String?
    package var provider: String?
    package var outcomes: Set<Outcome>?
    package var reason: DegradationReason?
    /// Only shown notifications that have no receipt of this event are listed.
    package var missing: Receipt.Event?
    /// The times of emission: from the first one, until before the second one.
    package var from: Date?
    package var to: Date?
    package var order = Order.newest
    /// The last place of the page before; `nil` for the first page.
    package var after: Int?
    package var limit = 50

    package init(group: AppGroupName) { self.group = group }
}

/// A part of a list.
package struct ListPage<Element: Sendable & Equatable>: Sendable, Equatable {
    package var elements: [Element]
    /// The place after which the next page begins; `nil` if the list ends with this page. A page with fewer elements
    /// than asked for may have a next page, because only a limited number of notifications is searched for one page.
    package var next: Int?

    package init(elements: [Element], next: Int?) {
        self.elements = elements
        self.next = next
    }
}

/// The outcomes of a recipient's notifications.
package struct OutcomeSummary: Sendable, Equatable {
    /// A row of the summary: the number of notifications with an outcome and a reason.
    package struct Row: Sendable, Equatable {
        package var outcome: Outcome
        package var reason: DegradationReason?
        package var count: Int

        package init(outcome: Outcome, reason: DegradationReason?, count: Int) {
            self.outcome = outcome
            self.reason = reason
            self.count = count
        }
    }

    /// The rows, with the largest count first.
    package var rows: [Row]
    /// Whether all notifications of the time are counted. Only the newest ones are, if there are very many.
    package var isComplete: Bool

    package init(rows: [Row], isComplete: Bool) {
        self.rows = rows
        self.isComplete = isComplete
    }
}

/// The port to the lists of emitted notifications.
package protocol NotificationListing: Sendable {
    /// Returns whether the lists have all notifications that were emitted since a date. They do not if nothing is
    /// listed, or if some were removed.
    func reaches(_ date: Date) async -> Bool

    /// Returns a page of a list.
    ///
    /// - Returns: `nil` if the lists cannot be read.
    func list(_ query: ListQuery) async -> ListPage<ListedNotification>?

    /// Returns a page of the threads of the listed notifications, the thread with the newest notification first. A
    /// thread is on the page of its newest notification only.
    ///
    /// - Returns: `nil` if the lists cannot be read.
    func threads(_ query: ListQuery) async -> ListPage<ListedThread>?

    /// Counts the notifications of a list by their outcomes.
    ///
    /// - Returns: `nil` if the lists cannot be read.
    func summary(_ query: ListQuery) async -> OutcomeSummary?
}
