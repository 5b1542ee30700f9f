import NotificationModel

/// Writes the processed content: which text, which attachments, which outcome, and why.
struct NotificationComposer {
    typealias Decision = EmissionStateMachine<MediaEnding>.Decision

    let request: NotificationRequest
    let payload: PushPayload
    let plan: MediaPlan

    /// Of a request that needs no media.
    func compose(_ settled: MediaPlan.Settled, at now: ContinuousClock.Instant) -> ProcessedNotification {
        switch settled {
        case .serviceNotPermitted:
            notification(.rejected, .serviceNotPermitted, text: payload.successText, at: now)
        case .expired:
            notification(
                .expired, .expired, text: payload.expiryText ?? fallbackText,
                actions: payload.actions.filter { $0.identifier != "accept" }, at: now)
        case .nothingToDo:
            notification(.passthrough, nil, text: payload.successText, actions: payload.actions, at: now)
        }
    }

    /// Of a request that cannot be used.
    func reject(_ problem: String, at now: ContinuousClock.Instant) -> ProcessedNotification {
        var rejected = notification(.rejected, .invalidPayload, text: payload.successText, at: now)
        rejected.problem = problem
        return rejected
    }

    /// Of what is ready when the matter is decided.
    func compose(_ decision: Decision, at now: ContinuousClock.Instant) -> ProcessedNotification {
        let endings = endings(of: decision)
        let shown = endings.compactMap { try? $0.get() }
        let failures = endings.compactMap(\.failure)
        // What another platform would show is not missing here.
        let missing = failures.first { $0.reason != .otherProfile } ?? (shown.isEmpty ? failures.first : nil)
        let outcome: Outcome =
            if decision.cause == .cancelled { .cancelled } else if payload.isSilent {
                .prefetched
            } else if shown.isEmpty { .fallback } else if missing == nil { .rich } else { .partial }
        var notification = notification(
            outcome, missing?.reason, text: text(of: decision, isAnyShown: !shown.isEmpty), actions: payload.actions,
            at: now)
        notification.attachments = shown
        notification.verdicts = zip(plan.media, endings).map { medium, ending in
            Verdict(
                url: medium.reference.url, identifier: medium.identifier, failure: ending.failure,
                stages: medium.trace.stages(at: now))
        }
        return notification
    }

    /// By medium. A cancelled request, and one whose policy wants the original at the deadline, show none at all.
    private func endings(of decision: Decision) -> [MediaEnding] {
        let unfinished = MediaFailure(unfinishedBecauseOf: decision.cause)
        let showsNone = decision.cause == .cancelled || (decision.cause == .deadlineReached && policy == .original)
        return decision.endings.map { ending in
            guard let ending, !showsNone || ending.failure != nil else { return .failure(unfinished) }
            return ending
        }
    }

    private func text(of decision: Decision, isAnyShown: Bool) -> NotificationText {
        switch decision.cause {
        case .cancelled: fallbackText
        case .deadlineReached where policy != .fallbackText: payload.successText
        case .deadlineReached, .allEnded: isAnyShown ? payload.successText : fallbackText
        }
    }

    /// Lines that the fallback does not have are the payload's own.
    private var fallbackText: NotificationText {
        let own = payload.successText
        guard let fallback = request.fallback ?? payload.fallbackText else { return own }
        return NotificationText(
            title: fallback.title ?? own.title, subtitle: fallback.subtitle ?? own.subtitle,
            body: fallback.body ?? own.body)
    }

    private var policy: ExpiryPolicy {
        let hasFallback = request.fallback != nil || payload.fallbackText != nil
        return request.onExpiry ?? (hasFallback ? .fallbackText : .bestAttempt)
    }

    private func notification(
        _ outcome: Outcome, _ reason: DegradationReason?, text: NotificationText, actions: [NotificationAction] = [],
        at now: ContinuousClock.Instant
    ) -> ProcessedNotification {
        ProcessedNotification(
            id: request.id, appGroup: request.appGroup, profile: request.profile, payload: payload, outcome: outcome,
            reason: reason, text: text, actions: actions,
            timing: .init(
                receivedAt: request.receivedAt, budget: request.budget.length,
                elapsed: request.budget.received.duration(to: now)),
            userInfo: request.payload)
    }
}

extension MediaFailure {
    fileprivate init<Ending>(unfinishedBecauseOf cause: EmissionStateMachine<Ending>.Cause) {
        self =
            switch cause {
            case .cancelled: MediaFailure(.cancelled, "the request was cancelled")
            case .deadlineReached, .allEnded: MediaFailure(.budgetExceeded, "the budget ended before it was ready")
            }
    }
}

extension Result where Failure == MediaFailure {
    fileprivate var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
