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
            var rejected = notification(.rejected, .serviceNotPermitted, text: payload.successText, at: now)
            rejected.verdicts = verdicts(MediaFailure(.serviceNotPermitted, "the receiver does not permit the service"))
            return rejected
        case .expired:
            var expired = notification(
                .expired, .expired, text: payload.isSilent ? payload.successText : payload.expiryText ?? fallbackText,
                actions: payload.actions.filter { $0.identifier != "accept" }, at: now)
            expired.verdicts = verdicts(MediaFailure(.expired, "the message itself has expired"))
            return expired
        case .nothingToDo:
            return notification(.passthrough, nil, text: payload.successText, actions: payload.actions, at: now)
        }
    }

    private func verdicts(_ failure: MediaFailure) -> [Verdict] {
        plan.media.map { Verdict(url: $0.reference.url, identifier: $0.identifier, failure: failure, stages: []) }
    }

    /// Of a request that cannot be used.
    func reject(_ problem: String, at now: ContinuousClock.Instant) -> ProcessedNotification {
        var rejected = notification(.rejected, .invalidPayload, text: payload.successText, at: now)
        rejected.problem = problem
        return rejected
    }

    /// Of what is ready when the matter is decided.
    func compose(_ decision: Decision, at now: ContinuousClock.Instant) -> ProcessedNotification {
        let decision = decision.recast(at: now, stagesEnd: request.budget.stagesEnd)
        let endings = endings(of: decision, at: now)
        let shown = endings.compactMap { try? $0.get() }
        let failures = endings.compactMap(\.failure)
        // What another platform would show is not missing here.
        let missing = failures.first { $0.reason != .otherProfile } ?? (shown.isEmpty ? failures.first : nil)
        let outcome = outcome(of: decision, isAnyShown: !shown.isEmpty, isAnyMissing: missing != nil)
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
    private func endings(of decision: Decision, at now: ContinuousClock.Instant) -> [MediaEnding] {
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
        _ medium: PlannedMedia, _ cause: EmissionStateMachine<MediaEnding>.Cause, at now: ContinuousClock.Instant
    ) -> MediaFailure {
        if cause == .cancelled { return .cancelled }
        let stage = medium.trace.stages(at: now).last.map { "in the stage \"\($0.name.rawValue)\"" }
        return MediaFailure(.budgetExceeded, "the budget ended \(stage ?? "before it was begun")")
    }

    private func outcome(of decision: Decision, isAnyShown: Bool, isAnyMissing: Bool) -> Outcome {
        switch (decision.cause, isAnyShown) {
        case (.cancelled, _): .cancelled
        case (_, false): .fallback
        case (_, true) where payload.isSilent: .prefetched
        case (_, true): isAnyMissing ? .partial : .rich
        }
    }

    private func text(of decision: Decision, isAnyShown: Bool) -> NotificationText {
        // A silent push shows nothing, whatever becomes of it.
        if payload.isSilent { return payload.successText }
        return switch decision.cause {
        case .cancelled: fallbackText
        case .deadlineReached where policy != .fallbackText: payload.successText
        case .deadlineReached, .allEnded: isAnyShown ? payload.successText : fallbackText
        }
    }

    /// Line by line: the envelope's fallback, the payload's, the payload's own text.
    private var fallbackText: NotificationText {
        let texts = [request.fallback, payload.fallbackText, payload.successText].compactMap(\.self)
        func line(_ line: KeyPath<NotificationText, String?>) -> String? {
            texts.lazy.compactMap { $0[keyPath: line] }.first
        }
        return NotificationText(title: line(\.title), subtitle: line(\.subtitle), body: line(\.body))
    }

    private var policy: ExpiryPolicy {
        let hasFallback = [request.fallback, payload.fallbackText].contains { $0?.isEmpty == false }
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

extension EmissionStateMachine.Decision where Ending == MediaEnding {
    /// A stage sees the same deadline as the timer, and may be the quicker one to tell of it.
    fileprivate func recast(at now: ContinuousClock.Instant, stagesEnd: ContinuousClock.Instant) -> Self {
        guard cause == .allEnded, now >= stagesEnd, endings.contains(where: { $0?.failure?.reason == .budgetExceeded })
        else { return self }
        return Self(cause: .deadlineReached, endings: endings)
    }
}

extension Result where Failure == MediaFailure {
    fileprivate var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
