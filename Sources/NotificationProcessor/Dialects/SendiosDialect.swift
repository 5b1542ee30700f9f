package import NotificationModel

/// Sendios: `data` with `push_id`, beside `aps` as APNs delivers it, flattened to the top as FCM delivers it to a phone,
/// or inside the message that a server sends to FCM.
///
/// Keys, values and defaults are those of "Push Notification Payload" in the vendor's iOS guide.
package struct SendiosDialect: Dialect {
    package let id: DialectID = "sendios"

    /// `sender_id` "is platform specific option. For iOS by default is 2."
    private static let senderOfApple = "2"

    /// Keys of the vendor's by their names in `details`.
    private static let details = [
        ("type", "type"), ("route", "route"), ("fromUserId", "from_user_id"), ("senderId", "sender_id"),
        ("logicId", "logic_id"), ("templateId", "template_id"),
    ]
    /// Keys that tell a flattened push from another provider's payload with a `push_id`.
    private static let besidePushID =
        ["image_url", "mf_split_group"] + details.map(\.1)

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if let data = payload["data"]?.object, Self.hasPushID(data) {
            return data["image_url"] == nil ? "data.push_id" : "data.push_id+data.image_url"
        }
        if let key = Self.flattenedMark(of: payload) { return "push_id+\(key)" }
        guard let data = FCMDialect.message(of: JSONNode(payload))?["data"].object, Self.hasPushID(data) else {
            return nil
        }
        return "message.data.push_id"
    }

    private static func hasPushID(_ data: JSONObject) -> Bool { text(JSONNode(data)["push_id"]) != nil }

    /// A text or a number of the vendor's. FCM's data has texts alone, also `null` for a value that is not there.
    private static func text(_ node: JSONNode) -> String? { node.identifier.flatMap { $0 == "null" ? nil : $0 } }

    /// - Returns: the key beside `push_id` that marks a flattened push; `nil` if the payload is no such push.
    private static func flattenedMark(of payload: JSONObject) -> String? {
        hasPushID(payload) ? besidePushID.first { payload[$0] != nil } : nil
    }

    /// The dictionary with the vendor's keys. A flattened push may have a `data` of another provider beside it.
    package static func data(of payload: JSONNode) -> JSONNode {
        let nested = payload["data"]
        if nested.object.map(hasPushID) == true { return nested }
        if payload.object.flatMap(flattenedMark) != nil { return payload }
        let message = payload["message"]["data"]
        if message.object.map(hasPushID) == true { return message }
        return nested.object == nil ? payload : nested
    }

    /// The dictionary with the texts that FCM shows.
    package static func notification(of payload: JSONNode) -> JSONNode {
        (isMessage(payload) ? payload["message"] : payload)["notification"]
    }

    /// A server sends it to FCM.
    package static func isMessage(_ payload: JSONNode) -> Bool {
        data(of: payload).path == payload["message"]["data"].path
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let (data, notification) = (Self.data(of: payload), Self.notification(of: payload))
        var reading =
            Self.isMessage(payload) ? PushPayload(fcm: payload["message"]) : Self.push(payload, notification)
        reading.providerID = Self.text(data["push_id"])
        let badges = [payload["aps"]["badge"], notification["badge"], data["badge"]]
        if reading.aps.badge == nil { reading.aps.badge = badges.lazy.compactMap(\.looseInteger).first }
        // Rules of `aps` have the same for Apple's badge.
        reading.problems = SendiosSlips(data: data, badges: [notification["badge"], data["badge"]]).problems
        Self.addPicture(data["image_url"], to: &reading)
        reading.details = Self.details(of: data)
        if reading.details["senderId"] == nil {
            reading.platformDetails[.apns] = ["senderId": .string(Self.senderOfApple)]
        }
        return reading
    }

    private static func push(_ payload: JSONNode, _ notification: JSONNode) -> PushPayload {
        var push = PushPayload(aps: APSReader(payload))
        let text = NotificationText(title: notification["title"].string, body: notification["body"].string)
        if push.successText.isBlank, !text.isEmpty { push.successText = text }
        push.textPlaces.append(.lines(of: notification))
        // FCM makes the alert of this text when `aps` has none.
        if !text.isBlank {
            push.aps.hasVisibleAlert = true
            push.isSilent = false
        }
        return push
    }

    private static func addPicture(_ node: JSONNode, to reading: inout PushPayload) {
        guard let url = node.text, url != "null" else { return }
        if url.contains("/") || url.contains(":") {
            // The vendor's own SDK calls every file `.png`.
            reading.media.insert(
                MediaReference(url: url, path: node.path, declaredType: .fileExtension("png")), at: 0)
        } else {
            // A bare name is that of a launch image in the app's bundle.
            reading.aps.launchImageName = url
        }
    }

    /// Where the app goes, and what the vendor's server wants to hear again with `delivered`, `click` and `unseen`. The
    /// split group "by default is nil".
    private static func details(of data: JSONNode) -> JSONObject {
        var details = JSONObject()
        for (name, key) in Self.details {
            if let value = text(data[key]) { details.append(name, .string(value)) }
        }
        details.append("splitGroup", .text(text(data["mf_split_group"])))
        return details
    }
}
