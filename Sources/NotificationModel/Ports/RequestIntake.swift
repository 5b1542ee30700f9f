package import FoundationEssentials

/// Where requests are handed in, asked after and taken back: the one counter behind every way in.
///
/// Whatever is admitted is durable before the answer, and is emitted exactly once.
package protocol RequestIntake: Sendable {
    /// Takes a request in; returns when it is durable, or why it is not taken. Nothing is half-taken.
    func submit(_ submission: Submission) async -> Admission

    /// Waits for the result. Cancelling the task leaves: a request that only waiting callers wanted ends with the last
    /// of them.
    ///
    /// - Returns: `nil` when the task was cancelled, or when no such request is known.
    func content(of key: RequestKey) async -> EmittedContent?

    /// Notes that the caller of an unkeyed request did not receive the whole result, which is then kept as long as others.
    func keepUndelivered(_ key: RequestKey)

    /// Does not wait. `nil`: unknown.
    func state(of key: RequestKey) async -> RequestState?

    /// Cancels a request, which is emitted at once, and waits for its result: only a result that is `cancelled` is
    /// reported as cancelled, after it is durable. At the deadline the answer does not wait for the disk any longer.
    func cancel(_ key: RequestKey) async -> CancelAnswer

    /// Cancels every unemitted request with this provider's identifier.
    ///
    /// - Parameter group: `nil` for all of them.
    /// - Returns: the requests whose results are `cancelled`.
    func cancel(providerID: String, in group: AppGroupName?) async -> [RequestKey]

    /// What happens from now on, or since an event that is still remembered.
    ///
    /// - Parameter id: the last event that was seen (`Last-Event-ID`); unknown ones are ignored.
    func events(after id: String?) -> AsyncStream<RequestEvent>

    /// What there is to do, for `status`.
    var load: RequestLoad { get }
}

/// What became of a submission.
package enum Admission: Sendable {
    /// New, and durable.
    case accepted(RequestKey)
    /// New, durable, and emitted: nothing of it had to be waited for.
    case emitted(EmittedContent)
    /// The same id and the same body as before: the same single result, now or later.
    case joined(RequestKey)
    /// The id is another body's. From the spool: whatever its body, the name is in use.
    case conflict(RequestKey)
    case unusable(EnvelopeError)
    /// As many as there is room for. Come again after this time.
    case full(retryAfter: Duration)
    /// The daemon is ending.
    case closing
    /// The journal could not take it. A sentence for people.
    case failed(String)
}

/// A processed notification as it is emitted.
package struct EmittedContent: Sendable, Equatable {
    package var key: RequestKey
    package var outcome: Outcome
    package var reason: DegradationReason?
    /// The content, one JSON object in UTF-8.
    package var json: [UInt8]

    package init(key: RequestKey, outcome: Outcome, reason: DegradationReason?, json: [UInt8]) {
        self.key = key
        self.outcome = outcome
        self.reason = reason
        self.json = json
    }
}

package enum RequestState: Sendable, Equatable {
    /// None of its media is being worked on yet.
    case queued
    case running
    case emitted(EmittedContent)
}

package enum CancelAnswer: Sendable, Equatable {
    /// The result is `cancelled`, by this call or before it.
    case cancelled
    /// The result has another outcome.
    case alreadyEmitted
    case unknown
    /// The daemon ends before the result is emitted.
    case closing
}

/// One thing that happened to a request, as `events` tells it.
package struct RequestEvent: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case accepted
        case started
        case emitted(Outcome, DegradationReason?)
    }

    /// Of this event, unique over restarts.
    package var id: String
    package var kind: Kind
    package var key: RequestKey
    package var date: Date
    /// Since the request was received.
    package var elapsed: Duration
    /// The receiver, as the envelope names it.
    package var recipient: String?

    package init(
        id: String, kind: Kind, key: RequestKey, date: Date, elapsed: Duration, recipient: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.key = key
        self.recipient = recipient
        self.date = date
        self.elapsed = elapsed
    }
}

package struct RequestLoad: Sendable, Equatable {
    /// Media of these are being worked on.
    package var running: Int
    /// Accepted, and waiting for their turn.
    package var queued: Int
    /// Since the start.
    package var accepted: Int
    package var emitted: [Outcome: Int]

    package init(running: Int, queued: Int, accepted: Int, emitted: [Outcome: Int]) {
        self.running = running
        self.queued = queued
        self.accepted = accepted
        self.emitted = emitted
    }
}
