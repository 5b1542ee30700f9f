package import Base
package import FoundationEssentials

/// The port to the coordinator of all requests, for HTTP, the spool and the command line.
///
/// An accepted request is durable before the response is sent, and its result is emitted exactly once.
package protocol RequestIntake: Sendable {
    /// Accepts a request, and returns when it is durable; otherwise returns the reason of the refusal. A refused
    /// request has no effect.
    func submit(_ submission: Submission) async -> Admission

    /// Waits for the result of a request. If the task is cancelled, the wait ends. A request whose result only waiting
    /// callers need is cancelled when the last of these callers stops waiting.
    ///
    /// - Returns: The result; `nil` if the task was cancelled or the request is unknown.
    func content(of key: RequestKey) async -> EmittedContent?

    /// Records that the caller of an unkeyed request did not receive the whole result. Such a result is kept as long as
    /// that of a keyed request.
    func keepUndelivered(_ key: RequestKey)

    /// Returns the state of a request without waiting; `nil` if the request is unknown.
    func state(of key: RequestKey) async -> RequestState?

    /// Cancels a request, which is emitted at once, and waits for its result. The request is reported as cancelled only
    /// if the result is `cancelled` and durable. At the deadline the call stops waiting for the disk.
    func cancel(_ key: RequestKey) async -> CancelAnswer

    /// Cancels all requests with the provider's identifier that are not emitted yet.
    ///
    /// - Parameter group: The app group. If `nil`, the requests of all groups are cancelled.
    /// - Returns: The requests whose results are `cancelled`.
    func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey]

    /// Returns the events from now on, or those after an event that is still in memory.
    ///
    /// - Parameter id: The last event that the caller has received (`Last-Event-ID`); `nil` for new events only.
    func subscribe(after id: String?) -> EventSubscription

    /// The number of requests in each state, for `status`.
    var load: RequestLoad { get }

    /// The arrival of the last request that is no line of a batch; `nil` if there was none.
    var lastSingleRequest: MonotonicInstant? { get }
}

/// The events of a listener.
package struct EventSubscription: Sendable {
    package var events: AsyncStream<RequestEvent>
    /// Whether the events go on after the listener's last event, or the listener has none.
    package var isWhole: Bool

    package init(events: AsyncStream<RequestEvent>, isWhole: Bool) {
        self.events = events
        self.isWhole = isWhole
    }
}

extension RequestIntake {
    /// Returns the events of a subscription that needs no earlier events.
    package func events(after id: String?) -> AsyncStream<RequestEvent> { subscribe(after: id).events }

    package var lastSingleRequest: MonotonicInstant? { nil }
}

package enum Admission: Sendable {
    /// The request is new and durable.
    case accepted(RequestKey)
    /// The request is new, durable and already emitted, because it did not have to wait for media.
    case emitted(EmittedContent)
    /// The id and the body are those of an earlier request. Both requests have the same result.
    case joined(RequestKey)
    /// The id belongs to a request with another body. A file of the spool conflicts even if the bodies are equal.
    case conflict(RequestKey)
    case unusable(EnvelopeError)
    /// The limit of requests is reached. The caller may try again after this time.
    case full(retryAfter: Duration)
    /// The limit of the requests of the app group is reached. Requests of other groups may be accepted.
    case groupFull(retryAfter: Duration)
    /// The daemon is shutting down.
    case closing
    /// The journal could not store the request. The value is a sentence for people.
    case failed(String)
}

/// A processed notification as it is emitted.
package struct EmittedContent: Sendable, Equatable {
    package var key: RequestKey
    package var outcome: Outcome
    package var reason: DegradationReason?
    /// The content, one JSON object in UTF-8.
    package var json: [UInt8]
    /// The facts that the JSON does not have; `nil` if the result comes from the journal.
    package var facts: EmittedFacts?

    package init(key: RequestKey, outcome: Outcome, reason: DegradationReason?, json: [UInt8]) {
        self.key = key
        self.outcome = outcome
        self.reason = reason
        self.json = json
    }
}

/// The facts about a result that lists, batches, callbacks and response headers need.
///
/// The facts are one object, because the task of each waiting caller has memory for about ten copies of a result.
package final class EmittedFacts: Sendable, Equatable {
    /// The names under which lists find the result.
    package let names: ListedNames
    /// The work that the media of the notification needed.
    package let media: MediaWork
    /// The times of the result; `nil` if they are only in its JSON.
    package let timing: ResultTiming?
    /// The URL that the request names for its result; `nil` if it names none.
    package let callback: String?
    /// The `details` of a result whose emission is passed on to the provider as the receipt `delivered`; `nil` if it is
    /// not passed on.
    package let deliveryDetails: JSONObject?
    /// The names of the call that submitted the request.
    package let trace: CallTrace

    package init(
        names: ListedNames, media: MediaWork = MediaWork(), timing: ResultTiming? = nil, callback: String? = nil,
        deliveryDetails: JSONObject? = nil, trace: CallTrace = CallTrace()
    ) {
        self.names = names
        self.media = media
        self.timing = timing
        self.callback = callback
        self.deliveryDetails = deliveryDetails
        self.trace = trace
    }

    package static func == (one: EmittedFacts, other: EmittedFacts) -> Bool {
        one === other
            || one.names == other.names && one.media == other.media && one.timing == other.timing
                && one.callback == other.callback && one.deliveryDetails == other.deliveryDetails
                && one.trace == other.trace
    }
}

/// The work that media needed, for the summary of a batch.
package struct MediaWork: Sendable, Equatable {
    /// The number of requests to origins.
    package var originFetches = 0
    /// The number of bytes of sources that no origin had to send, because a cache or another request had them.
    package var bytesSaved = 0
    /// The media items whose sources origins sent, with their bytes.
    package var fetched = (items: 0, bytes: 0)
    /// The time that these items took until their renditions were stored, and the part of it in workers.
    package var preparation = (whole: Duration.zero, workers: Duration.zero)

    package init() {}

    package static func == (one: MediaWork, other: MediaWork) -> Bool {
        one.originFetches == other.originFetches && one.bytesSaved == other.bytesSaved && one.fetched == other.fetched
            && one.preparation == other.preparation
    }

    package static func += (sum: inout MediaWork, other: MediaWork) {
        sum.originFetches += other.originFetches
        sum.bytesSaved += other.bytesSaved
        sum.fetched.items += other.fetched.items
        sum.fetched.bytes += other.fetched.bytes
        sum.preparation.whole += other.preparation.whole
        sum.preparation.workers += other.preparation.workers
    }
}

package enum RequestState: Sendable, Equatable {
    /// No media item of the request is in progress yet.
    case queued
    case running
    case emitted(EmittedContent)
}

package enum CancelAnswer: Sendable, Equatable {
    /// The result is `cancelled`, by this call or an earlier one.
    case cancelled
    /// The result has another outcome.
    case alreadyEmitted
    case unknown
    /// The daemon shuts down before the result is emitted.
    case closing
}

/// A change of a request's state, as `events` reports it.
package struct RequestEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case accepted
        case started
        case emitted(Outcome, DegradationReason?)
        /// The preparation of a named message has ended for a profile. The request of the event has prepared it.
        case prepared(PreparedMessage)
    }

    /// The id of the event, which is unique across restarts.
    package var id: String
    package var kind: Kind
    package var key: RequestKey
    package var date: Date
    /// The time since the request was received; `nil` if it is not known any more.
    package var elapsed: Duration?
    /// The digest of the recipient's group and name; `nil` if the request names no recipient.
    package var recipient: String?
    /// The labels of the envelope.
    package var labels: [String]
    /// The thread of the notification, by which listeners choose events.
    package var thread: String?

    package init(
        id: String, kind: Kind, key: RequestKey, date: Date, elapsed: Duration?, recipient: String? = nil,
        labels: [String] = [], thread: String? = nil
    ) {
        self.thread = thread
        self.id = id
        self.kind = kind
        self.key = key
        (self.recipient, self.labels) = (recipient, labels)
        self.date = date
        self.elapsed = elapsed
    }
}

package struct RequestLoad: Sendable, Equatable {
    /// The number of requests with media items in progress.
    package var running: Int
    /// The number of accepted requests that wait for a permit.
    package var queued: Int
    /// The number of accepted requests since the start.
    package var accepted: Int
    package var emitted: [Outcome: Int]

    package init(running: Int, queued: Int, accepted: Int, emitted: [Outcome: Int]) {
        self.running = running
        self.queued = queued
        self.accepted = accepted
        self.emitted = emitted
    }
}

/// A port that removes media which must not be shown any more, from the HTTP cache, the containers and the memory.
package protocol CachePurging: Sendable {
    /// Removes the target's media from the HTTP cache, the containers and the memory.
    ///
    /// - Throws: `invalid-url` if the target is not valid; `storage-failed` if a part of it could not be removed.
    func purge(_ target: PurgeTarget) async throws(MediaFailure) -> PurgeReport
}

/// The port that warms the items of a call.
package protocol WarmAnswering: Sendable {
    /// Warms the items of a body that has one JSON object per line. Returns when all items have ended. If the task is
    /// cancelled, the items are cancelled.
    ///
    /// - Parameter groups: The groups that the caller may use. An item of another group fails.
    /// - Parameter write: A function that takes results in the order in which their items end. The function returns
    ///   when there is room for more results. Only one task at a time calls the function.
    func answer(
        _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
    ) async
}
