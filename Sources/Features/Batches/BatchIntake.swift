package import Base
package import NotificationModel

/// The port to batches: bodies with one request in each line.
///
/// A line is a payload or an envelope, as in a call of its own. If the first line is `{"template": ENVELOPE}`, each
/// further line is a recipient of this template.
package protocol BatchIntake: Sendable {
    /// Processes the lines while they arrive, and writes the results in the order in which the requests end. The last
    /// line that is written is the summary.
    ///
    /// If the task is cancelled, the requests without an id are cancelled. The others continue.
    ///
    /// - Parameter write: A function that takes whole lines, and returns when there is room for more. Only one task at
    ///   a time calls the function.
    func process(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async

    /// Reads the lines without any effect that a recipient could see, and writes the findings of each line, in the order
    /// of the lines. The last line that is written is the plan.
    func plan(
        _ call: BatchCall, _ body: some AsyncSequence<[UInt8], any Error> & Sendable, as run: DryRun,
        write: @escaping @Sendable ([UInt8]) async -> Void
    ) async

    /// Stores a whole body, and returns when it is durable. Its lines are processed later.
    ///
    /// - Parameter id: The id of the batch; `nil` for a new id.
    func store(
        _ call: BatchCall, as id: RequestID?, _ body: some AsyncSequence<[UInt8], any Error> & Sendable
    ) async -> BatchAdmission

    /// Returns the state of a stored batch; `nil` if the owner has no such batch.
    func state(of id: RequestID, of owner: String) async -> JSONObject?

    /// Writes the results of a stored batch that exist already. If the batch has ended, the summary follows.
    ///
    /// - Parameter count: The number of results that are left out, from the first one.
    /// - Returns: `nil` if the owner has no such batch; otherwise a function that writes the results.
    func results(
        of id: RequestID, of owner: String, after count: Int
    ) async -> (@Sendable (_ write: @escaping @Sendable ([UInt8]) async -> Void) async -> Void)?

    /// Cancels a stored batch: its further lines are not read, and its requests that are not emitted yet are cancelled.
    /// Returns after their results.
    func cancel(_ id: RequestID, of owner: String) async -> CancelAnswer

    /// Removes a stored batch with its results. A running batch is cancelled before.
    ///
    /// - Returns: `.cancelled` when the batch is removed.
    func remove(_ id: RequestID, of owner: String) async -> CancelAnswer
}

/// The caller of a batch, and the values that its call gives to all lines.
package struct BatchCall: Sendable {
    /// The name of the caller. The callers of batches get their turns in the same order.
    package var owner: String
    /// The groups that the caller may use.
    package var groups: GroupPermission = .all
    /// Whether the caller may report receipts.
    package var mayReportReceipts = true
    /// The group of `?group=`; `nil` if each line names its group.
    package var group: AppGroupName?
    /// The value of `Request-Timeout`; `nil` if each line names its budget.
    package var budget: Duration?
    /// The names of the call. The `traceparent` of an envelope takes precedence.
    package var trace = CallTrace()
    /// An event after which no further line is read, because the daemon ends.
    package var stop = AsyncEvent()
    /// The name by which the call has its share of the results that wait; `nil` for the owner.
    package var share: String?
    /// A function that the call calls before and after it waits for its client to read results.
    package var waitsForReader: @Sendable (Bool) -> Void = { _ in }
}

/// The kinds of dry run.
package enum DryRun: String, Sendable, CaseIterable {
    /// Nothing is sent to any server.
    case lint
    /// The media are fetched and prepared, and stay in the stores.
    case fetch
}

/// The answer to a batch that is to be stored.
package enum BatchAdmission: Sendable, Equatable {
    case accepted(RequestID)
    /// The id and the body are those of an earlier batch.
    case joined(RequestID)
    /// The id belongs to a batch with another body.
    case conflict(RequestID)
    /// The caller has too many batches, or the space for batches is full. The value is a sentence for people.
    case full(String)
    /// The body has more than this number of bytes.
    case tooLarge(most: Int)
    /// The body ended before its end.
    case truncated
    case failed
    case closing
}
