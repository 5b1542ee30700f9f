import FoundationEssentials
import NotificationModel
import Primitives

/// A request with all decisions that come before the work on its media. The request's tasks share this object.
///
/// A waiting task holds its frame, and thousands of tasks wait at a time. Therefore the large values are in this
/// object, once for each request. Functions that create other large values are not inlined, because these values would
/// become a part of the frame.
final class PlannedRequest: Sendable {
    let request: NotificationRequest
    let plan: MediaPlan
    let needs: RenditionRequirements
    /// The time at which the stages end, whether they are ready or not. This time is the end of the budget or of the
    /// message's own time, less the reserve.
    let stagesEnd: MonotonicInstant
    /// The time at which stills are made of downloads that have not ended. The interval between this time and the end
    /// of the stages is a quarter of the remaining time, but at most a second.
    let partsBegin: MonotonicInstant
    /// The time at which the message expires; `nil` if the message does not expire within the budget.
    private let expiry: MonotonicInstant?
    private let payload: PushPayload
    private let publicURL: String?
    private let forwardedTexts: ForwardedTexts

    /// Creates the request with its plan.
    ///
    /// - Parameter now: The current time on both clocks.
    @inline(never)
    init(_ request: NotificationRequest, _ reading: PushPayload, _ rules: PayloadRules, at now: Arrival) {
        let payload = reading.speaking(to: request.profile.platform)
        self.request = request
        self.payload = payload
        plan = MediaPlan(payload, for: request, date: now.date, locator: rules.locator)
        expiry = plan.isExpired ? nil : plan.expiresAt.flatMap { Self.instant(of: $0, from: now, for: request) }
        stagesEnd = min(
            request.budget.stagesEnd, expiry.map(request.budget.stagesEnd(before:)) ?? request.budget.stagesEnd)
        partsBegin = stagesEnd - max(.zero, min(now.instant.duration(to: stagesEnd) / 4, .seconds(1)))
        needs = RenditionRequirements(payload, request, preferring: rules.media)
        publicURL = rules.publicURL
        forwardedTexts = rules.forwardedTexts
    }

    /// Returns the instant of a date in the future, to the microsecond; `nil` if the date is after the end of the
    /// budget.
    private static func instant(
        of date: Date, from now: Arrival, for request: NotificationRequest
    ) -> MonotonicInstant? {
        let seconds = date.timeIntervalSince(now.date)
        guard seconds < now.instant.duration(to: request.budget.deadline).seconds else { return nil }
        return now.instant.advanced(by: .microseconds(Int64((seconds * 1e6).rounded())))
    }

    /// Ends the media items that the plan refuses.
    ///
    /// - Returns: The indices of the other media items, each followed by its stand-ins.
    @inline(never)
    func refuse(to assembly: EmissionRace<MediaResult>) -> [[Int]] {
        let wanted = plan.media.indices.filter { index in
            guard let refusal = refusal(at: index) else { return true }
            assembly.send(.ended(index, .failure(refusal)))
            return false
        }
        return standInsPlaced(in: wanted)
    }

    /// Returns a list for each media item, in which the stand-ins follow the item. A stand-in belongs to the attachment
    /// before it, or else to the first attachment. If there is no attachment, the stand-in has a separate list.
    private func standInsPlaced(in wanted: [Int]) -> [[Int]] {
        var lists = wanted.filter { !plan.media[$0].isStandIn }.map { [$0] }
        let attachments = lists.indices.filter { plan.media[lists[$0][0]].reference.role == .attachment }
        for index in wanted where plan.media[index].isStandIn {
            let before = attachments.last { lists[$0][0] < index } ?? attachments.first
            if let before { lists[before].append(index) } else { lists.append([index]) }
        }
        return lists
    }

    /// Begins the stage `queue` of each media item. The stage starts at the instant at which the request began to wait
    /// for its permit.
    func trace(queuedSince instant: MonotonicInstant) {
        for item in plan.media where item.refusal == nil { item.trace.enter(.queue, at: instant) }
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

    /// Emits the result of a request that needs no media.
    @inline(never)
    func emitSettled(at now: MonotonicInstant, to emit: (ProcessedNotification) -> Void) {
        guard let settled = plan.settled else { return }
        // The request may have been cancelled while its text waited for the string tables.
        guard settled == .nothingToDo, Task.isCancelled else { return emit(composer(at: now).compose(settled)) }
        let endings = [MediaResult?](repeating: nil, count: plan.media.count)
        emit(composer(at: now).compose(NotificationComposer.Decision(cause: .cancelled, endings: endings)))
    }

    /// Emits the result from the media items that are ready at the decision.
    ///
    /// - Returns: The record of the message for the index; `nil` if the message has no attachments.
    @inline(never)
    func emit(
        _ decision: NotificationComposer.Decision, at now: MonotonicInstant,
        to emit: (ProcessedNotification) -> Void
    ) -> MessageRecord? {
        let notification = composer(at: now).compose(decision)
        emit(notification)
        guard !notification.attachments.isEmpty else { return nil }
        return MessageRecord(
            id: notification.id, providerID: notification.payload.providerID, profile: notification.profile.name,
            attachments: notification.attachments.map(\.record),
            prefetchedFor: payload.isSilent ? PrefetchReceiver(request.recipient) : nil)
    }

    private func composer(at now: MonotonicInstant) -> NotificationComposer {
        NotificationComposer(
            request: request, payload: payload, plan: plan, now: now, expiry: expiry, stagesEnd: stagesEnd,
            publicURL: publicURL,
            forwardedTexts: forwardedTexts)
    }
}
