import Authentication
import Base
import FoundationEssentials
import NotificationModel

/// The part that makes the request of one attempt, in the form that a kind of server expects.
protocol CallbackSending: Sendable {
    func send(_ callback: Callback, at date: Date) async -> OutgoingAnswer
}

/// Signed messages by Standard Webhooks 1.0. Each attempt is signed with its own time.
struct WebhookSender: CallbackSending {
    let url: String
    let keys: WebhookKeys
    let timeout: Duration
    let caller: any OutgoingCalling

    func send(_ callback: Callback, at date: Date) async -> OutgoingAnswer {
        let timestamp = Int(date.timeIntervalSince1970.rounded(.down))
        var fields: [(name: String, value: String)] = [
            ("Content-Type", "application/json"), ("webhook-id", callback.id), ("webhook-timestamp", "\(timestamp)"),
            ("webhook-signature", keys.signatures(of: callback.body, id: callback.id, timestamp: timestamp)),
        ]
        if let parent = callback.trace.parent { fields.append((name: "traceparent", value: parent.description)) }
        return await caller.send(
            OutgoingCall(url: callback.url ?? url, fields: fields, body: callback.body, timeout: timeout))
    }
}

extension Callback {
    /// The names of the call that submitted the notification, as the body has them.
    var trace: CallTrace { CallTrace((try? JSONParser.value(of: body))?["data"]?.object ?? [:]) }
}
