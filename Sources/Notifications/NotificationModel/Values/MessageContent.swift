package import Base
package import FoundationEssentials

/// The part of an emitted message that an app displays, for the index. It has neither the name of a recipient nor a
/// token of a device.
package struct MessageContent: Sendable, Equatable {
    package var outcome: Outcome
    package var reason: DegradationReason?
    package var thread: String?
    /// The time at which the message expires; `nil` if it never expires.
    package var expiresAt: Date?
    /// The text that the notification shows.
    package var text: NotificationText
    /// The text for an app that cannot show the attachments; `nil` if it is the shown text.
    package var fallback: NotificationText?
    /// The text for the time after the expiry; `nil` if the payload has none.
    package var expired: NotificationText?
    package var actions: [NotificationAction]
    /// The details of the payload, without the members of `privateDetails`.
    package private(set) var details: JSONObject

    /// The details that name or address a recipient.
    package static let privateDetails: Set<String> = ["clientIdentifier", "devices", "permission"]

    package init(
        outcome: Outcome, reason: DegradationReason? = nil, thread: String? = nil, expiresAt: Date? = nil,
        text: NotificationText, fallback: NotificationText? = nil, expired: NotificationText? = nil,
        actions: [NotificationAction] = [], details: JSONObject = JSONObject()
    ) {
        self.outcome = outcome
        self.reason = reason
        self.thread = thread
        self.expiresAt = expiresAt
        self.text = text
        self.fallback = fallback
        self.expired = expired
        self.actions = actions
        self.details = JSONObject(members: details.members.filter { !Self.privateDetails.contains($0.key) })
    }
}
