import Base
import NotificationModel

/// The name under which the recipient of a request is stored.
enum RecipientToken {
    /// Returns the recipient of the envelope, or else the token of a payload for one device; `nil` if the request names
    /// no recipient.
    static func name(of request: NotificationRequest, _ reading: PushPayload) -> String? {
        request.recipient ?? token(in: JSONNode(request.payload), reading).flatMap { RecipientName.parse($0) }
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

/// The payload as one recipient gets it.
extension PushPayload {
    /// Returns this payload with the texts and the details for one platform. These texts and details take precedence
    /// over the texts and details for all platforms.
    func speaking(to platform: PushPlatform) -> PushPayload {
        var payload = self
        if let own = platformTexts[platform] {
            payload.successText = own.over(successText)
            // Only Apple's platforms have silent pushes, which have `content-available` and no alert.
            if platform != .apns, !own.isBlank { payload.isSilent = false }
        }
        if let own = platformSignals[platform] { (payload.aps.badge, payload.aps.sound) = (own.badge, own.sound) }
        for member in platformDetails[platform]?.members ?? [] where details[member.key] == nil {
            payload.details.append(member.key, member.value)
        }
        return payload
    }

    /// Returns this payload with the parts that the recipient's system shows or plays.
    ///
    /// Sounds and badges need their own authorization (Apple, "UNAuthorizationOptions"). With a provisional
    /// authorization the system "delivers provisional notifications quietly". They appear in the notification center,
    /// without a sound or a banner (Apple, "Asking permission to use notifications").
    func permitted(by permissions: Permissions) -> PushPayload {
        var payload = self
        if !permissions.alert { payload.localization = AlertLocalization() }
        if !permissions.badge { payload.aps.badge = nil }
        if !permissions.sound || permissions.provisional { payload.aps.sound = nil }
        if permissions.provisional { payload.aps.interruptionLevel = .passive }
        return payload
    }

    /// Returns this payload without a sound and a category, if it shows nothing. It has a badge only if the badge is all
    /// that it changes.
    func quietIfSilent() -> PushPayload {
        guard isSilent else { return self }
        var payload = self
        (payload.aps.sound, payload.aps.category) = (nil, nil)
        if !changesBadgeAlone { payload.aps.badge = nil }
        return payload
    }

    /// Returns this payload without a sound, a badge and an interruption, if the recipient is the sender of its message.
    ///
    /// A chat service may deliver a message to its sender, too (Comapi, "Available events": the event
    /// `conversationMessage.sent` "will also be delivered to the message sender"). The recipient knows this message.
    func quietForSender(_ recipient: String?) -> PushPayload {
        guard isOfRecipient || recipient.map(senders.contains) == true else { return self }
        var payload = self
        (payload.aps.badge, payload.aps.sound) = (nil, nil)
        payload.aps.interruptionLevel = .passive
        payload.details.set("ownMessage", true)
        return payload
    }
}
