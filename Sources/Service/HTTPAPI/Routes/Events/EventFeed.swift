import Authentication
import Digests
import NotificationModel

/// The events that a caller asks for.
struct EventFilter: Sendable {
    /// The app group; `nil` for all groups that the caller may use.
    var group: AppGroupName?
    /// The outcomes of the emissions; `nil` for all events.
    var outcomes: Set<Outcome>?
    /// The request whose events are sent up to its emission; `nil` for the events of all requests, without an end.
    var key: RequestKey?
    /// The thread of the notifications; `nil` for all threads.
    var thread: String?
    /// The names of the recipient, in ``group``; `nil` for all recipients.
    var recipients: [String]? {
        didSet { digests = recipients.map { Set($0.map { RecipientHash.text(of: $0, in: groupName) }) } }
    }
    /// The digests of the names, which events have in place of a name.
    private var digests: Set<String>?

    private var groupName: String { (group ?? .default).description }

    init(group: AppGroupName? = nil, outcomes: Set<Outcome>? = nil, key: RequestKey? = nil) {
        (self.group, self.outcomes, self.key) = (group, outcomes, key)
    }

    func admits(_ event: RequestEvent) -> Bool {
        guard key.map({ $0 == event.key }) ?? true, group.map({ $0 == event.key.group }) ?? true,
            thread.map({ $0 == event.thread }) ?? true,
            digests.map({ digests in event.recipient.map(digests.contains) ?? false }) ?? true
        else { return false }
        guard let outcomes else { return true }
        guard case .emitted(let outcome, _) = event.kind else { return false }
        return outcomes.contains(outcome)
    }
}

/// The events of one stream: all events, those of one request up to its emission, or the emission of an ended request.
package struct EventFeed: Sendable {
    /// The texts that the stream begins with. nginx sends the head of a response over HTTP/2 only with the first byte of
    /// its body, so the stream of live events begins with a comment.
    var beginning: [String] = []
    /// The emissions that follow the beginning, before the live events; `nil` if nothing is repeated.
    var replay: EventReplay?
    /// The events that follow; `nil` if no events follow.
    var events: AsyncStream<RequestEvent>?
    /// The permit of a stream that waits for events; `nil` if the request has ended.
    private(set) var slot: StreamSlots.Slot?
    private var filter = EventFilter()
    /// The caller, whose groups limit the events; `nil` if the request has ended.
    private(set) var caller: Caller?

    /// Creates a feed of live events.
    ///
    /// - Parameter caller: The caller of the stream. Only events of its groups are sent.
    init(
        events: AsyncStream<RequestEvent>, for caller: Caller, _ filter: EventFilter, at slot: StreamSlots.Slot
    ) {
        beginning = [EventText.reconnection + EventText.heartbeat]
        self.events = events
        self.caller = caller
        self.filter = filter
        self.slot = slot
    }

    init(ended content: EmittedContent) { beginning = [EventText.reconnection + EventText.text(of: content)] }

    func tells(_ event: RequestEvent) -> Bool {
        filter.admits(event) && caller?.groups.contains(event.key.group) == true
    }

    func ends(with event: RequestEvent) -> Bool {
        guard filter.key == event.key, case .emitted = event.kind else { return false }
        return true
    }
}
