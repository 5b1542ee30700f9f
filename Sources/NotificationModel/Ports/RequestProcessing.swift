package import Primitives

/// The port that creates a request from a submission.
package protocol RequestReading: Sendable {
    /// Reads the payload or the envelope of a submission.
    ///
    /// - Returns: A request in all cases, because an unusable envelope has a result as well. The error is `nil` for a
    ///   usable envelope.
    func request(from submission: Submission) -> (request: NotificationRequest, error: EnvelopeError?)
}

/// The port to the pipeline, which processes requests.
package protocol NotificationProcessing: Sendable {
    /// Returns the payload of a request as its dialect reads it.
    func reading(of request: NotificationRequest) -> PushPayload

    /// Returns whether a media item of a request must be processed now.
    ///
    /// - Parameter reading: The payload of this request as its dialect reads it.
    func waitsForMedia(_ request: NotificationRequest, as reading: PushPayload) -> Bool

    /// Returns the failure `overloaded` if none of the media items of a request can be complete in time; otherwise
    /// `nil`. The call may wait for 50 ms, so that refused requests continue together.
    ///
    /// - Parameter reading: The payload of this request as its dialect reads it.
    func overload(of request: NotificationRequest, as reading: PushPayload) async -> MediaFailure?

    /// Processes one request and emits exactly one result, at the deadline or earlier. If the task is cancelled, the
    /// request is emitted at once with the outcome `cancelled`.
    ///
    /// - Parameter reading: The payload of this request as its dialect reads it.
    /// - Parameter queuedSince: The time at which the request began to wait for a permit; `nil` if it did not wait.
    /// - Parameter progress: A function that takes the steps: a media item starts, or waits for a host whose circuit
    ///   breaker is open.
    /// - Parameter emit: A function that is called once with the result. The function must not block.
    /// - Throws: A `MediaFailure` after the emission, if the index could not record the files that the message shows.
    func process(
        _ request: NotificationRequest, as reading: PushPayload, queuedSince: MonotonicInstant?,
        progress: @escaping @Sendable (ProcessingStep) -> Void,
        emit: @Sendable (ProcessedNotification) -> Void
    ) async throws(MediaFailure)
}

/// A step in the processing of a request.
package enum ProcessingStep: Sendable {
    /// A media item of the request has its permit and starts.
    case started
    /// A media item waits for a host whose circuit breaker is open. During the wait, the item has no permit.
    case waitsForHost
}

/// The port to the string tables of app groups, which have the texts that a phone would find in the app's bundle.
package protocol StringTableReading: Sendable {
    /// Returns the texts of a table by their keys; `nil` if the table does not exist. If the calling task is cancelled,
    /// the call returns at once.
    func table(_ name: String, in group: AppGroupName) async -> [String: String]?
}
