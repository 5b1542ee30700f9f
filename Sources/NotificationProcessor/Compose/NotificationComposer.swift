import NotificationModel

/// Writes the processed content: which text, which attachments, which outcome, and why.
struct NotificationComposer {
    typealias Decision = EmissionStateMachine<MediaEnding>.Decision

    let request: NotificationRequest
    let payload: PushPayload
    let plan: MediaPlan
    /// Under which renditions are reached from outside; `nil`: they are not.
    var publicURL: String?

    /// Of a request that needs no media.
    func compose(_ settled: MediaPlan.Settled, at now: MonotonicInstant) -> ProcessedNotification {
        switch settled {
        case .serviceNotPermitted:
            var rejected = notification(.rejected, .serviceNotPermitted, text: originalText, at: now)
            rejected.verdicts = verdicts(MediaFailure(.serviceNotPermitted, "the receiver does not permit the service"))
            return rejected
        case .alertNotPermitted:
            var unseen = notification(.passthrough, nil, text: NotificationText(), at: now)
            unseen.verdicts = verdicts(
                MediaFailure(.downloadNotPermitted, "the receiver permits no alerts, which would show it"))
            return unseen
        case .expired:
            var expired = notification(
                .expired, .expired, text: payload.isSilent ? payload.successText : expiredText, actions: actions,
                at: now)
            expired.verdicts = verdicts(MediaFailure(.expired, "the message itself has expired"))
            return expired
        case .nothingToDo:
            var untouched = notification(
                .passthrough, nil, text: payload.successText, actions: payload.actions, at: now)
            untouched.verdicts = plan.media.map { medium in
                Verdict(
                    url: medium.reference.shownURL, identifier: medium.identifier, failure: medium.refusal, stages: [])
            }
            return untouched
        }
    }

    private func verdicts(_ failure: MediaFailure) -> [Verdict] {
        plan.media.map { Verdict(url: $0.reference.shownURL, identifier: $0.identifier, failure: failure, stages: []) }
    }

    /// Of a request that cannot be used.
    func reject(_ problem: String, at now: MonotonicInstant) -> ProcessedNotification {
        var rejected = notification(.rejected, .invalidPayload, text: payload.successText, at: now)
        rejected.problem = problem
        return rejected
    }

    /// Of what is ready when the matter is decided.
    func compose(_ decision: Decision, at now: MonotonicInstant) -> ProcessedNotification {
        let decision = decision.recast(at: now, stagesEnd: request.budget.stagesEnd)
        let endings = endings(of: decision, at: now)
        let counted = counted(endings)
        let isAnyShown = counted.contains { $0.failure == nil }
        let reasons = counted.compactMap(\.shortfall)
        // What another platform would show is not missing here.
        let missing = reasons.first { $0 != .otherProfile } ?? (isAnyShown ? nil : reasons.first)
        let outcome = outcome(of: decision, isAnyShown: isAnyShown, isAnyMissing: missing != nil)
        let shown = endings.map { ending in (try? ending.get()).map(published) }
        var notification = notification(
            outcome, outcome == .expired ? .expired : missing, text: text(of: decision, isAnyShown: isAnyShown),
            actions: actions, shown: shown, at: now)
        notification.attachments = shown.compactMap(\.self)
        notification.verdicts = zip(plan.media, zip(endings, shown)).map { medium, ending in
            verdict(on: medium, ending.0.failure, shown: ending.1, at: now)
        }
        return notification
    }

    private func verdict(
        on medium: PlannedMedia, _ failure: MediaFailure?, shown: NotificationAttachment?,
        at now: MonotonicInstant
    ) -> Verdict {
        let refusal = shown.flatMap { PhoneRefusal.code(sourceType: $0.sourceType, byteCount: $0.sourceByteCount) }
        var verdict = Verdict(
            url: medium.reference.shownURL, identifier: medium.identifier, failure: failure, unError: refusal,
            sourceType: shown?.sourceType ?? failure?.sourceType, declaredType: medium.reference.declaredType,
            stages: medium.trace.stages(at: now),
            transfers: medium.trace.transfers(at: now, failure: failure?.reason ?? .budgetExceeded))
        verdict.reduction = shown?.reduction
        return verdict
    }

    private func published(_ attachment: NotificationAttachment) -> NotificationAttachment {
        guard let publicURL, let file = attachment.asset.path.split(separator: "/").last else { return attachment }
        var attachment = attachment
        attachment.publicURL = "\(publicURL)/v1/media/\(request.appGroup)/\(file)"
        return attachment
    }

    /// - Parameter shown: by medium; a medium that is not shown keeps its URL.
    private func push(_ shown: [NotificationAttachment?]) -> JSONValue {
        guard publicURL != nil else { return ["payload": nil] }
        let published = shown.enumerated().compactMap { index, attachment in
            attachment?.publicURL.map { (index: index, url: $0, info: attachment?.asset.info) }
        }
        return ForwardedPayload(
            payload: request.payload, reading: payload,
            publicURLs: Dictionary(uniqueKeysWithValues: published.map { ($0.index, $0.url) }),
            renditions: Dictionary(
                uniqueKeysWithValues: published.compactMap { one in one.info.map { (one.index, $0) } }),
            headers: request.headers, dialect: payload.dialect
        ).json
    }

    /// The endings that decide about the outcome: of attachments. Icons and badges do not count, unless the payload has
    /// nothing else.
    private func counted(_ endings: [MediaEnding]) -> [MediaEnding] {
        let attachments = zip(plan.media, endings).filter { $0.0.reference.role == .attachment }.map(\.1)
        return attachments.isEmpty ? endings : attachments
    }

    /// By medium. A cancelled request, and one whose policy wants the original at the deadline, show none at all.
    private func endings(of decision: Decision, at now: MonotonicInstant) -> [MediaEnding] {
        let showsNone = decision.cause == .cancelled || (decision.cause == .deadlineReached && policy == .original)
        return zip(plan.media, decision.endings).map { medium, ending in
            guard let ending else { return .failure(unfinished(medium, decision.cause, at: now)) }
            guard showsNone, ending.failure == nil else { return ending }
            return .failure(
                decision.cause == .cancelled
                    ? .cancelled : MediaFailure(.budgetExceeded, "the budget ended, and onExpiry asks for the original")
            )
        }
    }

    private func unfinished(
        _ medium: PlannedMedia, _ cause: EmissionStateMachine<MediaEnding>.Cause, at now: MonotonicInstant
    ) -> MediaFailure {
        if cause == .cancelled { return .cancelled }
        let stage = medium.trace.stages(at: now).last.map { "in the stage \"\($0.name.rawValue)\"" }
        return MediaFailure(.budgetExceeded, "the budget ended \(stage ?? "before it was begun")")
    }

    private func outcome(of decision: Decision, isAnyShown: Bool, isAnyMissing: Bool) -> Outcome {
        switch (decision.cause, isAnyShown) {
        case (.cancelled, _): .cancelled
        case _ where plan.isExpired: .expired
        case (_, false): .fallback
        case (_, true) where payload.isSilent: .prefetched
        case (_, true): isAnyMissing ? .partial : .rich
        }
    }

    private func text(of decision: Decision, isAnyShown: Bool) -> NotificationText {
        // A silent push shows nothing, whatever becomes of it.
        if payload.isSilent { return payload.successText }
        if plan.isExpired, decision.cause != .cancelled { return expiredText }
        return switch decision.cause {
        case .cancelled: fallbackText
        case .deadlineReached where policy == .original: originalText
        case .deadlineReached where policy != .fallbackText: payload.successText
        case .deadlineReached, .allEnded: isAnyShown ? payload.successText : fallbackText
        }
    }

    /// The envelope's, line by line over the payload's, or over the payload's own text where it has no other.
    private var fallbackText: NotificationText {
        let own = payload.fallbackText ?? payload.successText
        return request.fallback?.over(own) ?? own
    }

    /// The alert as Apple would show it, or what the payload has in its place.
    private var originalText: NotificationText { payload.alert.isEmpty ? payload.successText : payload.alert }

    private var expiredText: NotificationText { payload.expiryText ?? fallbackText }

    /// Of a message that has expired nothing is left to accept.
    private var actions: [NotificationAction] {
        payload.actions.filter { !plan.isExpired || $0.identifier != "accept" }
    }

    private var policy: ExpiryPolicy {
        let hasFallback = [request.fallback, payload.fallbackText].contains { $0?.isEmpty == false }
        return request.onExpiry ?? (hasFallback ? .fallbackText : .bestAttempt)
    }

    /// A line that is empty because no string table has its key.
    private func problem(with text: NotificationText) -> String? {
        guard !payload.isSilent, request.permissions.alert else { return nil }
        return payload.localization.problem(with: text)
    }

    private var phone: PhoneView {
        let judgement = PhoneJudgement(request.payload)
        return PhoneView(wouldRunExtension: judgement.wouldRunExtension, why: judgement.why)
    }

    /// - Parameter shown: by medium.
    private func notification(
        _ outcome: Outcome, _ reason: DegradationReason?, text: NotificationText, actions: [NotificationAction] = [],
        shown: [NotificationAttachment?] = [], at now: MonotonicInstant
    ) -> ProcessedNotification {
        let leftOut = payload.leftOutMedia
        var notification = ProcessedNotification(
            id: request.id, appGroup: request.appGroup, profile: request.profile,
            payload: payload.permitted(by: request.permissions), outcome: outcome,
            reason: reason,
            problem: leftOut > 0
                ? "\(leftOut) media behind the first \(payload.media.count) are left out"
                : problem(with: text),
            text: text, actions: actions,
            timing: .init(
                receivedAt: request.receivedAt, budget: request.budget.length,
                elapsed: request.budget.received.duration(to: now)),
            userInfo: request.payload, phone: phone, push: push(shown))
        notification.recipient = request.recipient
        return notification
    }
}

extension EmissionStateMachine.Decision where Ending == MediaEnding {
    /// A stage sees the same deadline as the timer, and may be the quicker one to tell of it.
    fileprivate func recast(at now: MonotonicInstant, stagesEnd: MonotonicInstant) -> Self {
        guard cause == .allEnded, now >= stagesEnd, endings.contains(where: { $0?.failure?.reason == .budgetExceeded })
        else { return self }
        return Self(cause: .deadlineReached, endings: endings)
    }
}

extension MediaEnding {
    /// Why it is not what was asked for. A smaller picture is; a still in the place of what moves is not.
    fileprivate var shortfall: DegradationReason? {
        switch self {
        case .success(let attachment): attachment.reduction?.kind == .still ? .budgetExceeded : nil
        case .failure(let failure): failure.reason
        }
    }
}

extension Result where Failure == MediaFailure {
    fileprivate var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
