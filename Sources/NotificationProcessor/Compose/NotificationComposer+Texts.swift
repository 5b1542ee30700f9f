import NotificationModel

/// The texts and actions of a payload that the notification shows.
extension NotificationComposer {
    func text(of decision: Decision, isAnyShown: Bool, isExpired: Bool) -> NotificationText {
        // A silent push shows nothing, and its text does not depend on the outcome.
        if payload.isSilent { return payload.successText }
        if isExpired, decision.cause != .cancelled { return expiredText }
        return switch decision.cause {
        case .cancelled: fallbackText
        case .deadlineReached where policy == .original: originalText
        case .deadlineReached where policy != .fallbackText: payload.successText
        case .deadlineReached, .allEnded: isAnyShown ? payload.successText : fallbackText
        }
    }

    /// Returns whether the request asks for the payload's own alert without changes.
    func isOriginal(_ decision: Decision, isExpired: Bool) -> Bool {
        decision.cause == .deadlineReached && policy == .original && !isExpired
    }

    /// Returns a text as the operator's templates show it. A silent push shows no text.
    func templated(_ text: NotificationText) -> NotificationText {
        if payload.isSilent { return text }
        return templates.text(showing: text, of: request.payload, in: payload.dialect, group: request.appGroup)
    }

    /// The fallback text. Each text of the envelope's fallback (title, subtitle, body) takes precedence over the
    /// payload's fallback text. If the payload has no fallback text, its own text is used instead.
    var fallbackText: NotificationText {
        let own = payload.fallbackText ?? payload.successText
        return request.fallback?.over(own) ?? own
    }

    /// The alert as Apple's system would show it; the text of the payload if it has no alert.
    var originalText: NotificationText { payload.alert.isEmpty ? payload.successText : payload.alert }

    var expiredText: NotificationText { payload.expiryText ?? fallbackText }

    /// Returns the actions of the message. An expired message has no action to accept it.
    func actions(isExpired: Bool) -> [NotificationAction] {
        payload.actions.filter { !isExpired || $0.identifier != "accept" }
    }

    var policy: ExpiryPolicy {
        let hasFallback = [request.fallback, payload.fallbackText].contains { $0?.isEmpty == false }
        return request.onExpiry ?? (hasFallback ? .fallbackText : .bestAttempt)
    }
}
