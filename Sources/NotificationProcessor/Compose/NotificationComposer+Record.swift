import NotificationModel

/// The record of a result in the index, from which an app shows its messages.
extension NotificationComposer {
    /// Returns the record of a result; `nil` if the index does not record it.
    func record(of notification: ProcessedNotification) -> MessageRecord? {
        let content = content(of: notification)
        guard content != nil || !notification.attachments.isEmpty else { return nil }
        return MessageRecord(
            id: notification.id, providerID: payload.providerID, profile: notification.profile.name,
            attachments: notification.attachments.map(\.record),
            prefetchedFor: payload.isSilent ? PrefetchReceiver(request.recipient) : nil, content: content)
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
