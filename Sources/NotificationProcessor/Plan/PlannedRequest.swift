import FoundationEssentials
import NotificationModel

/// A request with all that is decided before its media are worked on: what its tasks share.
///
/// What waits holds its frame all the while, thousands at a time. So the large values are here, once; and functions that
/// make more of them on their way are not inlined, which would make those a part of the frame.
final class PlannedRequest: Sendable {
    let request: NotificationRequest
    let plan: MediaPlan
    let needs: MediaNeeds
    private let payload: PushPayload
    private let publicURL: String?

    @inline(never)
    init(_ request: NotificationRequest, _ reading: PushPayload, _ rules: PayloadRules, date: Date) {
        let payload = reading.speaking(to: request.profile.platform)
        self.request = request
        self.payload = payload
        plan = MediaPlan(payload, for: request, date: date, locator: rules.locator)
        needs = MediaNeeds(payload, request, jpegQuality: rules.jpegQuality)
        publicURL = rules.publicURL
    }

    /// Ends the media items that are refused by the plan.
    ///
    /// - Returns: the indices of the others.
    @inline(never)
    func refuse(to assembly: Assembly<MediaEnding>) -> [Int] {
        plan.media.indices.filter { index in
            guard let refusal = plan.media[index].refusal else { return true }
            assembly.send(.ended(index, .failure(refusal)))
            return false
        }
    }

    /// Begins the stage `queue` of each media item at the instant from which the request waited for its permit.
    func trace(queuedSince instant: MonotonicInstant) {
        for medium in plan.media where medium.refusal == nil { medium.trace.enter(.queue, at: instant) }
    }

    @inline(never)
    func trace(of index: Int) -> StageTrace { plan.media[index].trace }

    /// The result of a request that needs no media.
    @inline(never)
    func emitSettled(at now: MonotonicInstant, to emit: (ProcessedNotification) -> Void) {
        if let settled = plan.settled { emit(composer.compose(settled, at: now)) }
    }

    /// The result of what is ready when the matter is decided.
    ///
    /// - Returns: what the index is told of the message; nothing of one without attachments.
    @inline(never)
    func emit(
        _ decision: NotificationComposer.Decision, at now: MonotonicInstant,
        to emit: (ProcessedNotification) -> Void
    ) -> MessageRecord? {
        let notification = composer.compose(decision, at: now)
        emit(notification)
        guard !notification.attachments.isEmpty else { return nil }
        return MessageRecord(
            id: notification.id, providerID: notification.payload.providerID, profile: notification.profile.name,
            attachments: notification.attachments.map(\.record))
    }

    private var composer: NotificationComposer {
        NotificationComposer(request: request, payload: payload, plan: plan, publicURL: publicURL)
    }
}
