import FoundationEssentials
package import NotificationModel

/// Matrix and SDN: what a homeserver tells a push gateway, and what a gateway tells a phone of an event by its ids alone.
///
/// Members are those of the Matrix specification, "Push Gateway API", and of events, `m.room.message`.
package struct MatrixDialect: Dialect {
    package let id: DialectID = "matrix"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        let notification = payload["notification"]
        if notification["devices"]?.array != nil { return "notification.devices[]" }
        if Self.isEvent(.object(payload)) { return "room_id+event_id" }
        return Self.isEvent(notification) ? "notification.room_id+event_id" : nil
    }

    private static func isEvent(_ value: JSONValue?) -> Bool {
        value["room_id"]?.string?.isEmpty == false && value["event_id"]?.string?.isEmpty == false
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        let notification = payload["notification"]
        let isNested = notification["devices"].array != nil || !Self.isEvent(payload.value)
        let event = isNested ? notification : payload
        let devices = event["devices"].elements.filter { $0.object != nil }
        // The gateway builds the push out of what the app gave with its push key.
        let push = payload["aps"].object != nil ? payload : devices.first?["data"]["default_payload"] ?? payload
        var reading = PushPayload(aps: APSReader(push))
        reading.providerID = event["event_id"].text
        Self.replaceText(of: &reading, with: event)
        reading.media = Self.media(of: event)
        reading.aps.threadIdentifier = event["room_id"].text ?? reading.aps.threadIdentifier
        reading.aps.badge = event["counts"]["unread"].integer ?? reading.aps.badge ?? event["unread_count"].integer
        if let sound = devices.lazy.compactMap({ $0["tweaks"]["sound"].text }).first {
            reading.aps.sound = NotificationSound(name: sound)
        }
        reading.language = devices.lazy.compactMap { $0["lang"].text ?? $0["data"]["lang"].text }.first
        reading.details = Self.details(of: event, push: push, devices: devices)
        return reading
    }

    /// The texts of the event go before those of the alert.
    private static func replaceText(of reading: inout PushPayload, with event: JSONNode) {
        let text = NotificationText(
            title: event["room_name"].text ?? event["room_alias"].text, subtitle: event["sender_display_name"].text,
            body: event["content"]["body"].text)
        reading.successText = text.over(reading.successText)
    }

    /// What an encrypted event holds cannot be told; the file of an encrypted room (`content.file`) is ciphertext too.
    private static func media(of event: JSONNode) -> [MediaReference] {
        let content = event["content"]
        guard event["type"].string != "m.room.encrypted", !content["ciphertext"].exists else { return [] }
        let mimeType = content["info"]["mimetype"].text
        return [
            MediaReference(content["url"], declaredType: mimeType.map { .mimeType($0) }),
            MediaReference(content["info"]["thumbnail_url"], role: .thumbnail),
        ].compactMap(\.self)
    }

    private static func details(of event: JSONNode, push: JSONNode, devices: [JSONNode]) -> JSONObject {
        var details = JSONObject()
        for (name, key) in [("roomId", "room_id"), ("eventId", "event_id"), ("sender", "sender")] {
            if let text = event[key].text { details.append(name, .string(text)) }
        }
        // Tells an app with several accounts which one it is.
        if let client = push["pusher_notification_client_identifier"].text {
            details.append("clientIdentifier", .string(client))
        }
        if !devices.isEmpty { details.append("devices", .array(devices.map { .object(detail(of: $0)) })) }
        return details
    }

    /// - `environment`: apps of the two environments are told apart by the end of their id, as SDN's and Matrix's iOS
    ///   SDKs recommend ("Push Notifications" in their README).
    /// - `pushKeyBytes`: of a push key that is Base64, as both recommend for APNs tokens; it is not there for others.
    private static func detail(of device: JSONNode) -> JSONObject {
        var detail = JSONObject()
        let application = device["app_id"].text
        if let application { detail.append("appId", .string(application)) }
        if let key = device["pushkey"].text { detail.append("pushKey", .string(key)) }
        detail.append("environment", environment(of: application).map { .string($0) } ?? .null)
        if let bytes = device["pushkey"].text.flatMap({ Data(base64Encoded: $0) }) {
            detail.append("pushKeyBytes", .number(JSONNumber(bytes.count)))
        }
        if let language = device["lang"].text ?? device["data"]["lang"].text {
            detail.append("lang", .string(language))
        }
        return detail
    }

    private static func environment(of application: String?) -> String? {
        ["dev", "prod"].first { application?.hasSuffix("." + $0) == true }
    }
}
