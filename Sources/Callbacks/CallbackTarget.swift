package import Authentication
import FoundationEssentials
package import NotificationModel

/// A configured receiver of messages about results and receipts.
package struct CallbackTarget: Sendable, Equatable {
    package var name: String
    /// The URL to which messages are sent.
    package var url: String
    /// The URL without its query, which may be a secret, for people.
    package var shownURL: String
    package var keys: WebhookKeys
    package var routing: CallbackRouting.Target
    /// The maximum number of requests at a time.
    package var concurrent: Int
    /// The maximum time for one request.
    package var timeout: Duration

    package init(
        name: String, url: String, shownURL: String, keys: WebhookKeys, routing: CallbackRouting.Target,
        concurrent: Int = 4, timeout: Duration = .seconds(15)
    ) {
        self.name = name
        self.url = url
        self.shownURL = shownURL
        self.keys = keys
        self.routing = routing
        self.concurrent = concurrent
        self.timeout = timeout
    }

    /// Returns the request of one attempt, signed with its time.
    func call(for callback: Callback, at date: Date) -> OutgoingCall {
        let timestamp = Int(date.timeIntervalSince1970.rounded(.down))
        return OutgoingCall(
            callback.url ?? url,
            fields: [
                ("Content-Type", "application/json"), ("webhook-id", callback.id),
                ("webhook-timestamp", "\(timestamp)"),
                ("webhook-signature", keys.signatures(of: callback.body, id: callback.id, timestamp: timestamp)),
            ], body: callback.body, timeout: timeout)
    }
}
