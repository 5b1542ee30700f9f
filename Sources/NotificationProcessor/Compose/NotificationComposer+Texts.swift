import NotificationModel

/// Which of a payload's texts and actions are shown.
extension NotificationComposer {
    func text(of decision: Decision, isAnyShown: Bool, isExpired: Bool) -> NotificationText {
        // A silent push shows nothing, whatever becomes of it.
        if payload.isSilent { return payload.successText }
        if isExpired, decision.cause != .cancelled { return expiredText }
        return switch decision.cause {
        case .cancelled: fallbackText
        case .deadlineReached where policy == .original: originalText
        case .deadlineReached where policy != .fallbackText: payload.successText
        case .deadlineReached, .allEnded: isAnyShown ? payload.successText : fallbackText
        }
    }

    /// The envelope's, line by line over the payload's, or over the payload's own text where it has no other.
    var fallbackText: NotificationText {
        let own = payload.fallbackText ?? payload.successText
        return request.fallback?.over(own) ?? own
    }

    /// The alert as Apple would show it, or what the payload has in its place.
    var originalText: NotificationText { payload.alert.isEmpty ? payload.successText : payload.alert }

    var expiredText: NotificationText { payload.expiryText ?? fallbackText }

    /// The actions of the message. An expired message has no action to accept it.
    func actions(isExpired: Bool) -> [NotificationAction] {
        payload.actions.filter { !isExpired || $0.identifier != "accept" }
    }

    var policy: ExpiryPolicy {
        let hasFallback = [request.fallback, payload.fallbackText].contains { $0?.isEmpty == false }
        return request.onExpiry ?? (hasFallback ? .fallbackText : .bestAttempt)
    }
}
