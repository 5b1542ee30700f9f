import FoundationEssentials
import NotificationModel

/// A request with all that is decided before its media are worked on: what its tasks share.
///
/// What waits holds its frame all the while, thousands at a time. So the large values are here, once; and functions that
/// make more of them on their way are not inlined, which would make those a part of the frame.
final class PlannedRequest: Sendable {
    let request: NotificationRequest
    let plan: MediaPlan
    let needs: RenditionRequirements
    /// When the stages end, ready or not: the budget's time, or that of the message itself. The reserve is kept back of
    /// either.
    let stagesEnd: MonotonicInstant
    /// When stills are made of downloads that have not ended: a quarter of the time before the stages end, and at most
    /// a second.
    let partsBegin: MonotonicInstant
    /// When the message's own time passes, if that is within the budget.
    private let expiry: MonotonicInstant?
    private let payload: PushPayload
    private let publicURL: String?
    private let forwardedTexts: ForwardedTexts

    /// - Parameter now: on both clocks.
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

    /// The instant of a date that is to come, to the microsecond; `nil`: it is beyond the budget.
    private static func instant(
        of date: Date, from now: Arrival, for request: NotificationRequest
    ) -> MonotonicInstant? {
        let seconds = date.timeIntervalSince(now.date)
        guard seconds < now.instant.duration(to: request.budget.deadline).seconds else { return nil }
        return now.instant.advanced(by: .microseconds(Int64((seconds * 1e6).rounded())))
    }

    /// Ends the media items that are refused by the plan.
    ///
    /// - Returns: the indices of the others, each followed by those that stand in for it.
    @inline(never)
    func refuse(to assembly: EmissionRace<MediaResult>) -> [[Int]] {
        let wanted = plan.media.indices.filter { index in
            guard let refusal = refusal(at: index) else { return true }
            assembly.send(.ended(index, .failure(refusal)))
            return false
        }
        return standInsPlaced(in: wanted)
    }

    /// A stand-in belongs to the attachment before it, or else to the first one. Without any it is wanted by itself.
    private func standInsPlaced(in wanted: [Int]) -> [[Int]] {
        var lists = wanted.filter { !plan.media[$0].isStandIn }.map { [$0] }
        let attachments = lists.indices.filter { plan.media[lists[$0][0]].reference.role == .attachment }
        for index in wanted where plan.media[index].isStandIn {
            let before = attachments.last { lists[$0][0] < index } ?? attachments.first
            if let before { lists[before].append(index) } else { lists.append([index]) }
        }
        return lists
    }

    /// Begins the stage `queue` of each media item at the instant from which the request waited for its permit.
    func trace(queuedSince instant: MonotonicInstant) {
        for medium in plan.media where medium.refusal == nil { medium.trace.enter(.queue, at: instant) }
    }

    /// A file that may not be fetched, and that no other push brings, is not there.
    private func refusal(at index: Int) -> MediaFailure? {
        let medium = plan.media[index]
        if let refusal = medium.refusal { return refusal }
        return needs.key(of: medium) == nil ? medium.fetchRefusal : nil
    }

    @inline(never)
    func trace(of index: Int) -> StageTrace { plan.media[index].trace }

    /// Tells the masks of a message that its video is prepared.
    @inline(never)
    func endVideo(at index: Int, as ending: MediaResult) {
        let medium = plan.media[index]
        if !medium.isMask { medium.videoSide?.end(with: ending.longestSide) }
    }

    @inline(never)
    func endArrival(of index: Int) { plan.media[index].arriving.end() }

    /// The result of a request that needs no media.
    @inline(never)
    func emitSettled(at now: MonotonicInstant, to emit: (ProcessedNotification) -> Void) {
        guard let settled = plan.settled else { return }
        // The text may have waited for its string tables, and the request was cancelled meanwhile.
        guard settled == .nothingToDo, Task.isCancelled else { return emit(composer(at: now).compose(settled)) }
        let endings = [MediaResult?](repeating: nil, count: plan.media.count)
        emit(composer(at: now).compose(NotificationComposer.Decision(cause: .cancelled, endings: endings)))
    }

    /// The result of what is ready when the matter is decided.
    ///
    /// - Returns: what the index is told of the message; nothing of one without attachments.
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
