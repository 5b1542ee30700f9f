import Digests
import FoundationEssentials
import NotificationModel

/// The emissions that a stream repeats from the lists, because their events are no longer in memory: those since a
/// time, or since the event after which a client goes on. The lists outlive a restart of the daemon.
struct EventReplay: Sendable {
    /// The maximum number of repeated emissions of one stream.
    static let most = 10_000
    /// The number of emissions that are in memory at a time.
    private static let pageSize = 200
    /// The maximum number of pages. Each searches a limited number of notifications, of which it may have none.
    private static let maxPages = most / pageSize
    /// Events that have the time of the last event of a client, or a little earlier, may follow it in the stream.
    private static let margin = 2_000_000

    private let listing: any NotificationListing
    private var query: ListQuery
    private var isOver = false
    private var pagesLeft = Self.maxPages

    /// - Parameter place: The first place in the lists.
    /// - Parameter end: The time at which the live events begin.
    init(_ listing: any NotificationListing, _ filter: EventFilter, from place: Int, until end: Date) {
        self.listing = listing
        query = ListQuery(group: filter.group ?? .default)
        query.isInAllGroups = filter.group == nil
        (query.recipients, query.thread, query.outcomes) = (filter.recipients, filter.thread, filter.outcomes)
        (query.order, query.after, query.to, query.limit) = (.oldest, place - 1, end, Self.pageSize)
    }

    /// Returns the place from which emissions are repeated after an event; `nil` if the id does not have a time.
    static func place(after id: String) -> Int? {
        EventID(id).map { $0.run == EventID.repeated ? $0.place + 1 : max(0, $0.place - margin) }
    }

    enum Step {
        case events([RequestEvent])
        /// Further emissions since the time cannot be repeated.
        case gap(since: Date)
        case end
    }

    /// Returns the next emissions in the order of their times.
    mutating func next() async -> Step {
        guard !isOver else { return .end }
        guard pagesLeft > 0, let page = await listing.list(query) else {
            isOver = true
            return .gap(since: ListedNotification.date(of: (query.after ?? -1) + 1))
        }
        pagesLeft -= 1
        query.after = page.next
        isOver = page.next == nil
        return .events(
            page.elements.map { listed in
                var event = RequestEvent(listed)
                // The lists shorten long names, and have compared them already.
                if let thread = query.thread { event.thread = thread }
                return event
            })
    }
}

extension RequestEvent {
    /// Creates the event of a listed emission. The lists do not have the time since the arrival of the request.
    fileprivate init(_ listed: ListedNotification) {
        let hash = listed.names.recipient.map { RecipientHash.text(of: $0, in: listed.key.group.description) }
        self.init(
            id: EventID(run: EventID.repeated, place: listed.place, number: 1).description,
            kind: .emitted(listed.outcome, listed.reason), key: listed.key, date: listed.emittedAt, elapsed: nil,
            recipient: hash, labels: listed.names.labels, thread: listed.names.thread)
    }
}
