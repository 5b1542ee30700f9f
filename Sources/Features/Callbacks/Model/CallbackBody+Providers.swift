package import Base
package import FoundationEssentials
package import NotificationModel

/// The receipts that are passed on to the servers of providers. Rows of the journal have no credentials. The sender adds
/// them when it sends.
extension CallbackBody {
    /// The last part of the path at Sendios, by the event.
    package static let sendiosEvents: [Receipt.Event: String] = [
        .delivered: "delivered", .clicked: "click", .unseen: "unseen",
    ]

    /// The keys of Sendios for the ids of a push, with the names of these ids in the `details` of a result.
    private static let sendiosIDs: [(key: String, name: String)] = [
        ("sender_id", "senderId"), ("logic_id", "logicId"), ("template_id", "templateId"),
        ("mf_split_group", "splitGroup"),
    ]

    /// Returns the type and the body of the message that a recipient has opted out, or in again.
    package static func optOut(of recipient: Recipient, at time: Date) -> (type: String, body: [UInt8]) {
        let isSubscribed = recipient.permitsService
        let body: JSONObject = [
            "device_id": .string(recipient.id.name), "subscribed": .bool(isSubscribed), "timestamp": .timestamp(time),
        ]
        return ("recipient.\(isSubscribed ? "subscribed" : "unsubscribed")", JSONWriter.bytes(of: .object(body)))
    }

    /// Returns the URL of the payload to which a click is reported; `nil` for other receipts. Such a URL is not of the
    /// target, so its failures do not count as those of the target.
    package static func trackingURL(
        of event: Receipt.Event, _ details: JSONObject, for form: CallbackRouting.Target.Form
    ) -> String? {
        form == .comapi && event == .clicked ? details["trackingUrl"]?.string : nil
    }

    /// Returns the receipt of a provider's message; `nil` for a click whose message has no tracking URL.
    ///
    /// - Parameter details: The `details` of the result; empty if the result is no longer kept.
    package static func receipt(
        _ event: Receipt.Event, at time: Date, _ names: ListedNames, details: JSONObject,
        for form: CallbackRouting.Target.Form
    ) -> [UInt8]? {
        switch form {
        case .webhook: return nil
        case .sendios(let senderID):
            var body: JSONObject = [
                "event": .string(sendiosEvents[event] ?? ""), "push_id": .text(names.providerID),
                "timestamp": .timestamp(time),
            ]
            for id in sendiosIDs {
                let value = details[id.name] ?? .null
                let standard: JSONValue = id.key == "sender_id" ? .string("\(senderID)") : .null
                body.append(id.key, value == .null ? standard : value)
            }
            // The vendor's SDK knows a device by this id.
            if let recipient = names.recipient { body.append("device_id", .string(recipient)) }
            return JSONWriter.bytes(of: .object(body))
        case .comapi where event == .clicked:
            return trackingURL(of: event, details, for: form).map { _ in JSONWriter.bytes(of: ["event": "clicked"]) }
        case .comapi:
            return JSONWriter.bytes(of: [
                "conversation": .text(names.thread), "profile": .text(names.recipient),
                "status": [
                    "messageIds": [.text(names.providerID)], "status": .string(event.rawValue),
                    "timestamp": .timestamp(time),
                ],
            ])
        }
    }
}
