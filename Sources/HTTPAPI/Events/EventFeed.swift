import Authentication
import NotificationModel

/// The events of one stream: all events, those of one request up to its emission, or the emission of an ended request.
struct EventFeed: Sendable {
    /// The texts that the stream begins with. nginx sends the head of a response over HTTP/2 only with the first byte of
    /// its body, so the stream of live events begins with a comment.
    var beginning: [String] = []
    /// The events that follow; `nil` if no events follow.
    var events: AsyncStream<RequestEvent>?
    /// The permit of a stream that waits for events; `nil` if the request has ended.
    private(set) var place: EventStreamPlaces.Place?
    private var key: RequestKey?
    /// The caller, whose groups limit the events; `nil` if the request has ended.
    private(set) var caller: Caller?

    /// Creates a feed of live events.
    ///
    /// - Parameter caller: The caller of the stream. Only events of its groups are sent.
    /// - Parameter key: The request whose events are sent. The feed ends with its emission. `nil` means the events of
    ///   all requests, without an end.
    init(
        events: AsyncStream<RequestEvent>, for caller: Caller, only key: RequestKey? = nil,
        at place: EventStreamPlaces.Place
    ) {
        beginning = [EventText.heartbeat]
        self.events = events
        self.caller = caller
        self.key = key
        self.place = place
    }

    init(ended content: EmittedContent) { beginning = [EventText.text(of: content)] }

    func tells(_ event: RequestEvent) -> Bool {
        (key == nil || event.key == key) && caller?.groups.contains(event.key.group) == true
    }

    func ends(with event: RequestEvent) -> Bool {
        guard key == event.key, case .emitted = event.kind else { return false }
        return true
    }
}
