/// Makes a request of what was handed in.
package protocol RequestReading: Sendable {
    /// - Returns: always a request, so that even an unusable envelope can have a result; with the error that makes it so.
    func request(from submission: Submission) -> (request: NotificationRequest, error: EnvelopeError?)
}

/// Processes requests: the pipeline, as those see it who hand requests in.
package protocol NotificationProcessing: Sendable {
    /// The payload as its dialect reads it.
    func reading(of request: NotificationRequest) -> PushPayload

    /// Whether any media of a request is to be worked on now.
    ///
    /// - Parameter reading: the payload of this request as its dialect reads it.
    func waitsForMedia(_ request: NotificationRequest, as reading: PushPayload) -> Bool

    /// Why none of the media that a request waits for can be ready in time, `overloaded`; `nil` if one may be. May wait
    /// for 50 ms, so that requests that are refused go on together.
    ///
    /// - Parameter reading: the payload of this request as its dialect reads it.
    func overload(of request: NotificationRequest, as reading: PushPayload) async -> MediaFailure?

    /// Processes one request and emits exactly one result, at or before the deadline. Cancelling the task takes the
    /// request back: it is emitted at once, as cancelled.
    ///
    /// - Parameters:
    ///   - reading: of this request.
    ///   - queuedSince: when the request began to wait for a permit to be worked on; `nil` if it did not wait.
    ///   - progress: called when one of its media has its turn, and when one waits for a host that rests.
    ///   - emit: called once. Must not block.
    /// - Throws: after the emission, when the index could not note what the message shows.
    func process(
        _ request: NotificationRequest, as reading: PushPayload, queuedSince: MonotonicInstant?,
        progress: @escaping @Sendable (ProcessingStep) -> Void,
        emit: @Sendable (ProcessedNotification) -> Void
    ) async throws(MediaFailure)
}

/// A step in the processing of a request.
package enum ProcessingStep: Sendable {
    /// One of its media has its turn.
    case started
    /// One of its media waits for a host that rests, without a permit.
    case waitsForHost
}

/// The string tables of app groups: what a phone would find in the app's bundle.
package protocol StringTableReading: Sendable {
    /// The texts by their keys, of a language; `nil` where there is no such table. Cancelling the calling task ends the
    /// wait at once.
    func table(_ name: String, in group: AppGroupName) async -> [String: String]?
}
