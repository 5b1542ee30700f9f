import JSON
import NotificationModel

/// The name under which the receiver of a request is stored.
enum ReceiverToken {
    /// Returns the recipient of the envelope, or else the token of a payload for one device; `nil` if the request names
    /// no receiver.
    static func name(of request: NotificationRequest, _ reading: PushPayload) -> String? {
        request.recipient ?? token(in: JSONNode(request.payload), reading).flatMap { ReceiverName.parse($0) }
    }

    /// Returns the token of the device to which a payload is addressed; `nil` if it is addressed to several devices or
    /// to a topic, or if it does not name its device.
    private static func token(in payload: JSONNode, _ reading: PushPayload) -> String? {
        // A message to FCM may contain the payload of another provider.
        if reading.isFCMMessage { return FCMDialect.message(of: payload)?["token"].text }
        switch reading.dialect {
        case "expo": return only(payload["to"])
        case "fcm-legacy":
            let token = payload["to"].text ?? only(payload["registration_ids"])
            return token.flatMap { $0.hasPrefix("/topics/") ? nil : $0 }
        case "gorush":
            let notifications = payload["notifications"]
            return notifications.array?.count == 1 ? only(notifications.elements[0]["tokens"]) : nil
        case "huawei": return only(payload["message"]["token"])
        case "matrix":
            let devices = payload["notification"]["devices"]
            return devices.array?.count == 1 ? devices.elements[0]["pushkey"].text : nil
        default: return nil
        }
    }

    /// Returns a text, or the only element of an array.
    private static func only(_ node: JSONNode) -> String? {
        if let text = node.text { return text }
        // A payload may have thousands of tokens.
        return node.array?.count == 1 ? node.elements[0].text : nil
    }
}
