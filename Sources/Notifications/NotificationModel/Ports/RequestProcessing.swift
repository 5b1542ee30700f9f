package import Base

/// The port that decodes and plans requests. Each request is decoded once.
package protocol RequestDecoding: Sendable {
    /// Reads the envelope, the dialect and the texts of a submission, and plans its media items. The call may wait for
    /// string tables, at most until the stages of the request end.
    ///
    /// - Throws: The error of an unusable envelope.
    func decode(_ submission: Submission) async throws(EnvelopeError) -> any PlannedNotification

    /// Decodes a request that an earlier daemon accepted. The request has the id, the group and the deadline of its
    /// entry. An unusable value of the envelope has no effect, because the request must have a result.
    ///
    /// - Parameter now: The current time.
    /// - Parameter refusal: The reason why no media item is processed; `nil` if they are processed.
    func decode(_ entry: JournalEntry, at now: ClockReading, refusing refusal: MediaFailure?) async
        -> any PlannedNotification
}

/// A request that is decoded and planned. It has exactly one result.
package protocol PlannedNotification: Sendable {
    var request: NotificationRequest { get }
    /// The provider's identifier of the message; `nil` if the payload has none.
    var providerID: String? { get }
    /// The thread of the notification; `nil` if the payload names none.
    var thread: String? { get }
    /// The receipt that the payload reports; `nil` if it reports none, or if the request has no recipient.
    var receipt: Receipt? { get }
    /// The time at which the stages of the media items end, whether they are ready or not.
    var stagesEnd: MonotonicInstant { get }
    /// Whether the result does not depend on media items that are still to be processed.
    var isDecided: Bool { get }

    /// Refuses the media items if none of them can be complete in time. The call may wait for 50 ms, so that refused
    /// requests continue together.
    func refuseIfOverloaded() async

    /// Records that the request has waited for a permit since its arrival.
    func noteQueue()

    /// Prepares all media items at the same time, until the request is decided. Returns when the work has ended.
    ///
    /// - Parameter progress: A function that takes the steps `started` and `waitsForHost`.
    func prepareMedia(progress: @escaping @Sendable (ProcessingStep) -> Void) async

    /// Waits until the request is decided, and composes its result. The request is decided when all media items have
    /// ended, at the end of the stages, or when it is cancelled. If the task is cancelled, the request is cancelled.
    func notification() async -> ProcessedNotification

    /// Decides the request as cancelled, unless it is decided already.
    func cancel()

    /// Returns the same request, planned by the present settings of its recipient. The caller uses it in place of this
    /// one, whose work must not have begun.
    func replanned() async -> any PlannedNotification

    /// Whether the index is to have the composed result: `record` has no effect otherwise.
    var isRecorded: Bool { get }

    /// Records the message of the result in the index, with the files that it shows.
    ///
    /// - Throws: A `MediaFailure` if the index could not record the message.
    func record() async throws(MediaFailure)
}

extension PlannedNotification {
    /// Processes the request: prepares its media items, emits its result when it is decided, and records its message.
    /// Unfinished media items end while the result is emitted.
    ///
    /// - Parameter emit: A function that takes the result.
    /// - Throws: A `MediaFailure` after the emission, if the index could not record the message.
    package func process(
        progress: @escaping @Sendable (ProcessingStep) -> Void = { _ in },
        emit: (ProcessedNotification) async -> Void
    ) async throws(MediaFailure) {
        async let media: Void = prepare(progress)
        await emit(await notification())
        await media
        try await record()
    }

    private func prepare(_ progress: @escaping @Sendable (ProcessingStep) -> Void) async {
        await prepareMedia(progress: progress)
        progress(.ended)
    }
}

package enum ProcessingStep: Sendable {
    /// A media item of the request has its permit and starts.
    case started
    /// A media item waits for a host whose circuit breaker is open. During the wait, the item has no permit.
    case waitsForHost
    /// All media items have ended.
    case ended
}

/// The port to the string tables of app groups, which have the texts that a phone would find in the app's bundle.
package protocol StringTableReading: Sendable {
    /// Returns the texts of a table by their keys; `nil` if the table does not exist. A cancelled call returns at once.
    func table(_ name: String, in group: AppGroupName) async -> [String: String]?
}

/// The port to the envelopes of submissions.
package protocol EnvelopeReading: Sendable {
    /// Reads the envelope of a submission, without any effect.
    ///
    /// - Throws: The error of an unusable envelope.
    func request(of submission: Submission) throws(EnvelopeError) -> NotificationRequest
}
