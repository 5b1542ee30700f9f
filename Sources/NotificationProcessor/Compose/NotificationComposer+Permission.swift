import Base
import NotificationModel

/// The permission that decided a refusal, for `details.permission` of the result.
extension NotificationComposer {
    /// A permission that refused the request or its media, the layer that decided it, and the version of the recipient's
    /// settings if they decided it.
    struct Refusal {
        let permission: Permission
        let rule: PermissionRule
        let version: Int?

        var json: JSONValue {
            [
                "name": .string(permission.rawValue), "rule": .string(rule.rawValue),
                "version": version.map { .number(JSONNumber($0)) } ?? .null,
            ]
        }
    }

    /// Returns the permission that refused the request or one of its media; `nil` if no permission did.
    func refusal(among verdicts: [Verdict]) -> Refusal? {
        guard let permission = refusingPermission(among: verdicts) else { return nil }
        let rule = request.layers.decision(on: permission).rule
        return Refusal(
            permission: permission, rule: rule,
            version: rule == .recipient ? request.recipientLookup?.stored?.version : nil)
    }

    private func refusingPermission(among verdicts: [Verdict]) -> Permission? {
        switch plan.noMedia {
        case .serviceNotPermitted: return .service
        case .alertNotPermitted: return .alert
        case .expired, .mediaMissing, .nothingToDo, nil: break
        }
        if !request.permissions.download, verdicts.contains(where: { $0.failure?.reason == .downloadNotPermitted }) {
            return .download
        }
        return verdicts.contains { $0.failure?.reason == .wifiOnly } ? .wifiOnly : nil
    }
}

extension PushPayload {
    /// Returns this payload with the permission that refused the request in its details.
    func explaining(_ refusal: NotificationComposer.Refusal?) -> PushPayload {
        guard let refusal else { return self }
        var payload = self
        payload.details.set("permission", refusal.json)
        return payload
    }
}

/// The record of a result in the index, from which an app shows its messages.
extension NotificationComposer {
    /// Returns the record of a result; `nil` if the index does not record it.
    func record(of notification: ProcessedNotification) -> MessageRecord? {
        let content = content(of: notification)
        guard content != nil || !notification.attachments.isEmpty else { return nil }
        return MessageRecord(
            id: notification.id, providerID: payload.providerID, profile: notification.profile.name,
            attachments: notification.attachments.map(\.record),
            prefetchedFor: payload.isSilent ? PrefetchRecipient(request.recipient) : nil, content: content)
    }

    /// Returns the part of a result that an app displays; `nil` if the result is not in a list of messages.
    ///
    /// A text without media and without a provider's id is not recorded. Such texts are the bulk of a gateway's
    /// requests, and each would need a transaction of the index. A silent push shows nothing.
    private func content(of notification: ProcessedNotification) -> MessageContent? {
        let hasMedia = !payload.media.isEmpty || payload.lacksRequiredMedia
        guard hasMedia || payload.providerID != nil && !notification.text.isBlank else { return nil }
        guard !payload.isSilent, notification.outcome != .rejected, plan.noMedia != .alertNotPermitted else {
            return nil
        }
        let fallback = templated(fallbackText)
        return MessageContent(
            outcome: notification.outcome, reason: notification.reason, thread: payload.aps.threadIdentifier,
            expiresAt: plan.expiresAt, text: notification.text,
            fallback: fallback == notification.text ? nil : fallback, expired: payload.expiryText.map(templated),
            actions: notification.actions, details: payload.details)
    }
}

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
