import NotificationModel

/// What an event stream tells: everything, one request up to its end, or an end that has been before.
struct EventFeed: Sendable {
    /// Told first.
    var beginning: [String] = []
    /// `nil`: nothing follows.
    var events: AsyncStream<RequestEvent>?
    /// What a stream that listens has among the others.
    private(set) var place: EventStreamPlaces.Place?
    private var key: RequestKey?

    /// - Parameter key: of the request that it is about, and with whose emission it ends; `nil`: all, without an end.
    init(events: AsyncStream<RequestEvent>, only key: RequestKey? = nil, at place: EventStreamPlaces.Place) {
        self.events = events
        self.key = key
        self.place = place
    }

    init(ended content: EmittedContent) { beginning = [EventText.text(of: content)] }

    func tells(_ event: RequestEvent) -> Bool { key == nil || event.key == key }

    func ends(with event: RequestEvent) -> Bool {
        guard key == event.key, case .emitted = event.kind else { return false }
        return true
    }
}
