package import Base
package import NotificationModel

/// The pipeline that turns a request into its processed content, in time. `PlannedNotification.process` has the steps of
/// a request, and `PlannedRequest+Media.swift` has the steps of a media item, in their order.
///
/// **Input.** A `NotificationRequest`. A dialect reads its payload by the ``PayloadRules`` in force.
///
/// **Output.** Exactly one `ProcessedNotification` for each processed request, at its deadline or earlier. For a media
/// item that fails or is late, the result has a reason, and the text is always emitted. The store then records the
/// files that were shown.
///
/// **Refused.** A planned request whose media items the workers cannot finish in time is refused before it is accepted.
/// `reject(_:because:)` makes the result of an unusable envelope. Media items that the recipient, the profile or the
/// limit of 32 exclude are not fetched.
///
/// **Threads.** A request runs in its caller's task, on the cooperative pool. Its media items run in child tasks, and
/// transcodes that requests share run in separate tasks, on the executor of the network. A fetch and a transcode then
/// begin and end without a change of thread. No call blocks its thread for long. A media item that waits for a permit is
/// suspended.
///
/// **Cancellation.** `PlannedRequest.cancel()` decides a request, which is then emitted at once as cancelled. At the
/// decision the caller emits the result. The pipeline cancels the unfinished media items, and waits for their end.
///
/// To add a new dialect, do this: write a ``Dialect`` in `Dialects/`, and its line in ``DialectTable``, above the
/// dialects whose rules are less specific. `DetectionTests` fails until its order has the dialect, and
/// `docs/use/dialects.md` has all steps. A new step of a media item is a function that `renditions` in
/// `PlannedRequest+Media.swift` calls.
package final class NotificationPipeline: Sendable {
    /// The time for which refused requests wait for each other.
    private static let refusalBatch: Duration = .milliseconds(50)

    private let current: Guarded<GroupRules>
    private let recipientStore = Guarded<(any RecipientReading)?>(nil)
    let tables: (any StringTableReading)?
    let fetcher: any MediaFetching
    let transcoder: any MediaTranscoding
    let renditions: RenditionService
    let store: any MediaStoring
    let mediaPermits: AsyncSemaphore
    /// The batches in which requests are refused if the workers cannot finish their media in time.
    /// docs/operate/reliability.md has the gain under overload.
    private let refusals: TaskBatches
    let clock: any RequestClock
    let executor: (any TaskExecutor)?

    /// Creates the pipeline over its ports.
    ///
    /// - Parameter rules: The rules of requests until the first call of `change`.
    /// - Parameter tables: The string tables of the recipients' languages; `nil` if alerts are not localized.
    /// - Parameter mediaInFlight: The number of media items that are processed at a time, over all requests. The other
    ///   media items wait for a permit, at most until their own deadline.
    /// - Parameter executor: The executor of media items and of the work that requests share; `nil` for the executor of
    ///   the caller.
    package init(
        rules: GroupRules = GroupRules(PayloadRules()),
        tables: (any StringTableReading)? = nil, fetcher: any MediaFetching, transcoder: any MediaTranscoding,
        store: any MediaStoring,
        mediaInFlight: Int = 1_024, clock: any RequestClock, executor: (any TaskExecutor)? = nil
    ) {
        mediaPermits = AsyncSemaphore(permits: mediaInFlight)
        refusals = TaskBatches(clock: clock, length: Self.refusalBatch)
        current = Guarded(rules)
        self.tables = tables
        self.fetcher = fetcher
        self.transcoder = transcoder
        renditions = RenditionService(transcoder: transcoder, store: store, clock: clock, executor: executor)
        self.store = store
        self.clock = clock
        self.executor = executor
    }

    /// The number of media items that are being processed.
    package var mediaCount: Int { mediaPermits.used }

    /// Returns the current rules of a group.
    package func rules(for group: AppGroupName) -> PayloadRules { current.withLock { $0.rules(for: group) } }

    /// Returns the current rules of the group that a submission names.
    func rules(for submission: Submission) -> PayloadRules { current.withLock { $0.rules(for: submission) } }

    /// Returns whether requests of a group are accepted.
    func accepts(_ group: AppGroupName) -> Bool { current.withLock { $0.served.contains(group) } }

    /// Changes the rules of all later requests.
    package func change(_ rules: GroupRules) { current.withLock { $0 = rules } }

    /// The stored recipients; `nil` if this program has none.
    var recipients: (any RecipientReading)? { recipientStore.withLock(\.self) }

    /// Applies the settings of stored recipients to all later requests.
    package func use(_ recipients: any RecipientReading) { recipientStore.withLock { $0 = recipients } }

    // MARK: The steps of a request

    /// Plans a request, and processes it as `PlannedNotification.process` does.
    package func process(
        _ request: NotificationRequest, emit: (ProcessedNotification) -> Void
    ) async throws(MediaFailure) {
        try await plan(request).process { emit($0) }
    }

    /// Returns the failure `overloaded` if none of the media items of a request can be complete in time; otherwise
    /// `nil`.
    package func overload(of planned: PlannedRequest) async -> MediaFailure? {
        let needs = planned.needs
        var overload: MediaFailure?
        for item in planned.plan.media where item.refusal == nil {
            guard item.fetchRefusal == nil,
                let refusal = transcoder.refusal(for: needs.flow(of: item), until: planned.stagesEnd)
            else { return nil }
            let (group, date) = (planned.request.appGroup, needs.until)
            if await store.find(needs.storedKeys(of: item), in: group, until: date) != nil { return nil }
            for location in item.locations where await !fetcher.wouldDownload(location, for: group) { return nil }
            overload = refusal
        }
        if overload != nil, clock.now.duration(to: planned.stagesEnd) > Self.refusalBatch * 20 {
            await refusals.waitForEnd()
        }
        return overload
    }

    /// Forgets the renditions that were made recently. The store still has the renditions whose files exist.
    package func forgetRenditions() { renditions.forgetAll() }

    /// Returns the result of a request whose envelope is unusable.
    package func reject(_ request: NotificationRequest, because problem: String) -> ProcessedNotification {
        let payload = rules(for: request.appGroup).reading(of: request)
        let plan = MediaPlan(PushPayload(), for: request, date: clock.date)
        return NotificationComposer(request: request, payload: payload, plan: plan, now: clock.now).reject(problem)
    }
}
