import Authentication
import Base
import FoundationEssentials
import HTTPTypes
package import NotificationModel

/// The routes of event streams.
package struct EventRoutes: Sendable {
    let coordinator: any RequestIntake
    let listing: any NotificationListing
    let recipients: any RecipientStoring
    let context: CallContext

    package init(
        _ coordinator: any RequestIntake, listing: any NotificationListing, recipients: any RecipientStoring,
        _ context: CallContext
    ) { (self.coordinator, self.listing, self.recipients, self.context) = (coordinator, listing, recipients, context) }

    package var routes: [Route] {
        [
            Route(
                method: .get, path: "/v1/notifications/{id}/events", operation: "streamNotificationEvents",
                scope: .events, parameters: .of(.id, .group, Self.lastEventID), concernsRequests: true,
                metric: "events", summary: "Streams the events of one request until its emission.", outputs: [.events],
                problems: [.full, .oldHTTP], handler: requestEvents),
            Route(
                method: .get, path: "/v1/events", operation: "streamEvents", scope: .events,
                parameters: .of(
                    Self.eventGroup, .outcome, .recipientFilter, Self.eventThread, Self.eventsFrom, Self.lastEventID),
                metric: "events", summary: "Streams the events of all requests, or of some of them.",
                outputs: [.events], problems: [.full, .oldHTTP]
            ) { arguments throws(Problem) in
                let (filter, start) = (try Self.filter(arguments), try arguments[Self.eventsFrom])
                let (last, caller) = (try arguments[Self.lastEventID], arguments.caller)
                return { _ throws(Problem) in .events(try await feed(filter, after: last, from: start, for: caller)) }
            },
        ]
    }

    /// Reads the conditions of the events. A recipient or a thread is one of a group, which is the default group unless
    /// the query names another one.
    private static func filter(_ arguments: RouteArguments) throws(Problem) -> EventFilter {
        let (recipient, thread) = (try arguments[.recipientFilter], try arguments[.thread])
        let isInGroup = recipient != nil || thread != nil
        let group = isInGroup ? try arguments.groupOrDefault() : try arguments[.group]
        var filter = EventFilter(group: group, outcomes: try arguments[.outcome])
        filter.thread = thread
        filter.recipients = recipient.map { [$0] }
        return filter
    }

    /// Returns the events of all requests.
    ///
    /// - Parameter id: The last event that the client has received. If the daemon does not have it any more, the stream
    ///   begins with the event `gap` and the emissions since then from the lists.
    /// - Parameter start: The time from which emissions are repeated for a client without an earlier event.
    private func feed(_ filter: EventFilter, after id: String?, from start: Date?, for caller: Caller)
        async throws(Problem) -> EventFeed
    {
        let slot = try slot(for: caller)
        var filter = filter
        if let name = filter.recipients?.first {
            filter.recipients = await recipients.allNames(of: name, in: filter.group ?? .default)
        }
        let subscription = coordinator.subscribe(after: id)
        let now = context.clock.date
        var feed = EventFeed(events: subscription.events, for: caller, filter, at: slot)
        if !subscription.isWhole, let id {
            let first = EventReplay.place(after: id)
            let date = first.map(ListedNotification.date)
            let isListed = if let date { await listing.reaches(date) } else { false }
            feed.beginning.append(EventText.gap(from: date, to: now, isRepeated: isListed))
            if let first { feed.replay = EventReplay(listing, filter, from: first, until: now) }
        } else if id == nil, let start {
            feed.replay = EventReplay(listing, filter, from: ListedNotification.place(of: start), until: now)
        }
        return feed
    }

    private func requestEvents(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (key, last, caller) = (try arguments.key(), try arguments[Self.lastEventID], arguments.caller)
        return { _ throws(Problem) in
            // The subscription begins before the state is read, so that an emission between the two is not lost.
            let events = coordinator.events(after: last)
            switch await coordinator.state(of: key) {
            case nil: throw .unknown(key)
            case .emitted(let content)?: return .events(EventFeed(ended: content))
            case .queued?, .running?:
                let filter = EventFilter(key: key)
                return .events(EventFeed(events: events, for: caller, filter, at: try slot(for: caller)))
            }
        }
    }

    private func slot(for caller: Caller) throws(Problem) -> StreamSlots.Slot {
        let slots = context.eventSlots
        if let slot = slots.take(by: caller) { return slot }
        throw Problem(
            .full,
            "All \(slots.most) event streams are in use. Close a stream that is not needed, or try again in 5 s.",
            members: ["most": .number(slots.most)], headers: [.retryAfter: "5"])
    }
}

extension RecipientStoring {
    /// Returns a name together with all names of the stored recipient that has it.
    package func allNames(of name: String, in group: AppGroupName) async -> [String] {
        guard case .stored(let recipient, _) = await find(RecipientName(group: group, name: name)) else {
            return [name]
        }
        return recipient.allNames.union([name]).sorted()
    }
}

extension EventRoutes {
    private static let lastEventID = Parameter<String?>(
        "Last-Event-ID", in: .header(.lastEventID), "The id of the last event that the client has received.",
        ["type": "string", "maxLength": 256]
    ) { text, _ throws(Problem) in
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= 256 else { throw .header("Last-Event-ID", "has more than 256 bytes.") }
        return text
    }
    private static let eventGroup = Parameter.group.described(as: "Only events of this app group are sent.")
    private static let eventThread = Parameter<String?>("thread", "Only events of notifications of this thread.")
    private static let eventsFrom = Parameter.time("from", "The stream begins with the emissions since this time.")
}

extension Route.Output {
    fileprivate static let events = Route.Output(
        status: 200, meaning: "Server-sent events, each with an id.", type: "text/event-stream", schema: .anyText)
}
