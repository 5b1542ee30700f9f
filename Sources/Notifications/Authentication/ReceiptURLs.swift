import Base
package import FoundationEssentials
package import NotificationModel

/// The signed URLs by which a device without a token reports what happened to one notification.
///
/// A URL is `BASE/v1/signed-receipts/GROUP/ID/EVENT?recipient=NAME` with the end and the signature of ``URLSigningKeys``.
/// `recipient` is missing if the notification has no recipient. So a URL is valid for one event of one notification to one
/// recipient, until its end.
package struct ReceiptURLs: Sendable, Equatable {
    /// The events that a device reports. `deleted` is an event of the conversation, which the app's server reports.
    package static let events: [Receipt.Event] = [.delivered, .clicked, .unseen, .read, .dismissed]

    private let base: String
    private let keys: URLSigningKeys
    private let life: TimeInterval

    /// - Parameter base: The beginning of the URLs, without a slash at its end.
    /// - Parameter life: The time for which a URL is valid, in seconds.
    package init(base: String, keys: URLSigningKeys, life: TimeInterval) {
        self.base = base
        self.keys = keys
        self.life = life
    }

    /// Returns the URLs of a notification, one for each event.
    ///
    /// - Parameter recipient: The recipient as the envelope names it; `nil` if the notification has no recipient.
    package func urls(
        of key: RequestKey, to recipient: String?, at now: Date
    ) -> [(event: Receipt.Event, url: String)] {
        let end = now.addingTimeInterval(life)
        return Self.events.map { ($0, base + keys.signed(Self.target($0, of: key, to: recipient), until: end)) }
    }

    /// Checks the URL of a call.
    ///
    /// - Parameter recipient: The text of `recipient`; `nil` if the query has no such parameter.
    /// - Parameter end: The text of `expires`; `nil` if the query has no such parameter.
    /// - Parameter signature: The text of `signature`; `nil` if the query has no such parameter.
    package func check(
        _ event: Receipt.Event, of key: RequestKey, to recipient: String?, until end: String?, signature: String?,
        at now: Date
    ) throws(URLRefusal) {
        _ = try keys.check(Self.target(event, of: key, to: recipient), until: end, signature: signature, at: now)
    }

    private static func target(_ event: Receipt.Event, of key: RequestKey, to recipient: String?) -> String {
        let path = "/v1/signed-receipts/\(key.group)/\(PercentEncoding.text(of: "\(key.id)"))/\(event.rawValue)"
        return path + (recipient.map { "?recipient=\(PercentEncoding.text(of: $0))" } ?? "")
    }
}
