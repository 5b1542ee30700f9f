import Base
import FoundationEssentials
import NotificationModel

/// The app at Sendios to whose server receipts are passed on.
package struct SendiosAccount: Sendable, Equatable {
    /// The beginning of the URLs, without a slash at its end.
    package var baseURL: String
    package var clientID: String
    package var clientToken: String
    package var appID: String
}

/// Receipts for Sendios: `POST /api/v1/app/push/delivered`, `/click` and `/unseen`, with the ids of the push and the
/// credentials of the app. Opt-outs of recipients are sent by `PUT /api/v1/app/devices/subscribes`.
struct SendiosSender: CallbackSending {
    let account: SendiosAccount
    let timeout: Duration
    let caller: any OutgoingCalling

    func send(_ callback: Callback, at date: Date) async -> OutgoingAnswer {
        guard let receipt = (try? JSONParser.value(of: callback.body))?.object else {
            return .failed("the stored receipt cannot be read")
        }
        // An opt-out is the only message without an event of a push.
        let event = receipt["event"]?.string
        let path = event.map { "push/\($0)" } ?? "devices/subscribes"
        var body: JSONObject = [
            "clientId": .string(account.clientID), "clientToken": .string(account.clientToken),
            "appId": .string(account.appID),
        ]
        for member in receipt.members where member.key != "event" { body.append(member.key, member.value) }
        return await caller.send(
            OutgoingCall(
                url: "\(account.baseURL)/api/v1/app/\(path)", method: event == nil ? "PUT" : "POST",
                fields: [("Content-Type", "application/json"), ("Idempotency-Key", callback.id)],
                body: JSONWriter.bytes(of: .object(body)), timeout: timeout))
    }
}
