import Authentication
package import Base
import FoundationEssentials
package import NotificationModel

/// A request with all decisions that come before the work on its media, and the race between its media items and its
/// deadline. The request's tasks share this object.
///
/// A waiting task holds its frame, and thousands of tasks wait at a time. Therefore the large values are in this
/// object, once for each request. Functions that create other large values are not inlined, because these values would
/// become a part of the frame.
package final class PlannedRequest: Sendable {
    package let request: NotificationRequest
    let plan: MediaPlan
    let needs: RenditionRequirements
    let race: EmissionRace<MediaResult>
    let pipeline: NotificationPipeline
    /// The time at which the stages end, whether they are ready or not. This time is the end of the budget or of the
    /// message's own time, less the reserve.
    package let stagesEnd: MonotonicInstant
    /// The time at which the message expires; `nil` if the message does not expire within the budget.
    private let expiry: MonotonicInstant?
    private let payload: PushPayload
    /// The resolver of the media references.
    let locator: MediaURLResolver
    /// The public URLs of renditions; `nil` if renditions are not public.
    private let mediaURLs: MediaURLs?
    /// The end of the public URLs; `nil` if they never end.
    private let mediaURLsEnd: Date?
    /// The signed URLs of receipts; `nil` if results have none.
    private let receiptURLs: ReceiptURLs?
    private let forwardedTexts: ForwardedTexts
    private let templates: TextTemplates

    /// The record of the composed result; `nil` if the index does not record it.
    private let shown = Guarded<MessageRecord?>(nil)

    /// Creates the request with its plan, and ends the media items that the plan refuses.
    ///
    /// - Parameter now: The current time on both clocks.
    @inline(never)
    init(
        _ request: NotificationRequest, _ reading: PushPayload, _ rules: PayloadRules, at now: ClockReading,
        in pipeline: NotificationPipeline
    ) {
        let payload = reading.speaking(to: request.profile.platform)
        self.request = request
        self.payload = payload
        self.pipeline = pipeline
        locator = rules.locator
        plan = MediaPlan(payload, for: request, date: now.date, locator: rules.locator)
        expiry = plan.isExpired ? nil : plan.expiresAt.flatMap { Self.instant(of: $0, from: now, for: request) }
        stagesEnd = min(
            request.budget.stagesEnd, expiry.map(request.budget.stagesEnd(before:)) ?? request.budget.stagesEnd)
        mediaURLs = rules.mediaURLs
        mediaURLsEnd = rules.mediaURLs?.end(ofMessageUntil: plan.isExpired ? nil : plan.expiresAt, at: now.date)
        needs = RenditionRequirements(
            payload, request, preferring: rules.media, downloadedUntil: request.isWarming ? nil : mediaURLsEnd)
        (receiptURLs, forwardedTexts, templates) = (rules.receiptURLs, rules.forwardedTexts, rules.texts)
        race = EmissionRace(count: plan.media.count)
        // A request without media has a result without decisions about its media items.
        for index in plan.noMedia == nil ? plan.media.indices : 0..<0 {
            if let refusal = refusal(at: index) { race.send(.ended(index, .failed(refusal))) }
        }
    }

    /// Returns the instant of a date in the future, to the microsecond; `nil` if it is after the budget.
    private static func instant(
        of date: Date, from now: ClockReading, for request: NotificationRequest
    ) -> MonotonicInstant? {
        let seconds = date.timeIntervalSince(now.date)
        guard seconds < now.instant.duration(to: request.budget.deadline).seconds else { return nil }
        return now.instant.advanced(by: .microseconds(Int64((seconds * 1e6).rounded())))
    }

    /// Returns the time at which stills are made of downloads that have not ended. The interval between this time and
    /// the end of the stages is a quarter of the remaining time, but at most a second.
    func partsBegin(at now: MonotonicInstant) -> MonotonicInstant {
        stagesEnd - max(.zero, min(now.duration(to: stagesEnd) / 4, .seconds(1)))
    }

    /// The indices of the media items that have not ended, each followed by its stand-ins. Before the work on the
    /// media, these are the items that the plan does not refuse. A stand-in belongs to the attachment before it, or else
    /// to the first attachment. If there is no attachment, the stand-in has a separate list.
    var wanted: [[Int]] {
        let wanted = race.pending
        var lists = wanted.filter { !plan.media[$0].isFallback }.map { [$0] }
        let attachments = lists.indices.filter { plan.media[lists[$0][0]].reference.role == .attachment }
        for index in wanted where plan.media[index].isFallback {
            let before = attachments.last { lists[$0][0] < index } ?? attachments.first
            if let before { lists[before].append(index) } else { lists.append([index]) }
        }
        return lists
    }

    /// Returns the reason why a media item is refused. An item that may not be fetched is refused only if no other push
    /// can have prefetched its files.
    private func refusal(at index: Int) -> MediaFailure? {
        let item = plan.media[index]
        if let refusal = item.refusal { return refusal }
        return needs.key(of: item) == nil ? item.fetchRefusal : nil
    }

    @inline(never)
    func trace(of index: Int) -> StageTrace { plan.media[index].trace }

    /// Reports to the waiting masks of a message that the message's video is prepared.
    @inline(never)
    func endVideo(at index: Int, as ending: MediaResult) {
        let item = plan.media[index]
        if !item.isMask { item.videoSide?.end(with: ending.longestSide) }
    }

    @inline(never)
    func endArrival(of index: Int) { plan.media[index].arriving.end() }

    @inline(never)
    func composed(_ decision: NotificationComposer.Decision?, at now: MonotonicInstant) -> ProcessedNotification {
        let composer = NotificationComposer(
            request: request, payload: payload, plan: plan, now: now, expiry: expiry, stagesEnd: stagesEnd,
            mediaURLs: mediaURLs, mediaURLsEnd: mediaURLsEnd, receiptURLs: receiptURLs, forwardedTexts: forwardedTexts,
            templates: templates)
        let notification: ProcessedNotification
        if let noMedia = plan.noMedia, noMedia != .nothingToDo || decision == nil {
            notification = composer.compose(noMedia)
        } else {
            guard let decision else { preconditionFailure("a request with media items is decided before its result") }
            notification = composer.compose(decision)
        }
        if let record = composer.record(of: notification) { shown.withLock { $0 = record } }
        return notification
    }
}

extension PlannedRequest: PlannedNotification {
    package var providerID: String? { payload.providerID }
    package var receipt: Receipt? {
        // The preparation of a named message reaches no recipient.
        guard let reported = payload.receipt, !request.id.isOfPreparation,
            let name = RecipientToken.name(of: request, payload)
        else { return nil }
        var receipt = Receipt(
            group: request.appGroup, target: reported.target, event: reported.event, at: request.receivedAt)
        (receipt.recipients, receipt.reporters) = ([name], reported.readers)
        return receipt
    }

    package var thread: String? { payload.aps.threadIdentifier }

    package var isDecided: Bool { plan.noMedia != nil || race.isDecided }

    package func noteQueue() {
        for item in plan.media where item.refusal == nil { item.trace.enter(.queue, at: request.budget.received) }
    }

    package func refuseIfOverloaded() async {
        guard !isDecided, let refusal = await pipeline.overload(of: self) else { return }
        for index in plan.media.indices { race.send(.ended(index, .failed(refusal))) }
    }

    package func notification() async -> ProcessedNotification {
        // A request without media is decided only if it is cancelled.
        let decision = plan.noMedia == nil || Task.isCancelled || race.isDecided ? await decision() : nil
        return composed(decision, at: pipeline.clock.now)
    }

    /// Waits until the request is decided. If the task is cancelled, the request is cancelled before its child tasks
    /// are. Otherwise the failures of its media items might decide it.
    func decision() async -> NotificationComposer.Decision {
        await withTaskCancellationHandler {
            await race.decision()
        } onCancel: {
            cancel()
        }
    }

    package func cancel() { race.send(.cancelled) }

    package func replanned() async -> any PlannedNotification { await pipeline.plan(request) }

    package var isRecorded: Bool { shown.withLock { $0 != nil } }

    package func record() async throws(MediaFailure) {
        guard let record = shown.withLock(\.self) else { return }
        try await pipeline.store.record(record, in: request.appGroup)
    }
}
