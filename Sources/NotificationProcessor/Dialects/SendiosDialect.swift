package import NotificationModel

/// Sendios: `data` with `push_id` and `image_url`, nested as APNs delivers it or flattened as FCM does.
package struct SendiosDialect: Dialect {
    package let id: DialectID = "sendios"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if let data = payload["data"]?.object, Self.isPush(data) { return "data.push_id+data.image_url" }
        return Self.isPush(payload) ? "push_id+image_url" : nil
    }

    private static func isPush(_ data: JSONObject) -> Bool {
        data["push_id"]?.identifier != nil && data["image_url"] != nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let data = Self.data(of: payload)
        reading.providerID = data["push_id"].identifier
        if reading.successText.isEmpty {
            let notification = payload["notification"]
            reading.successText = NotificationText(
                title: notification["title"].string, body: notification["body"].string)
        }
        if reading.aps.badge == nil { reading.aps.badge = payload["notification"]["badge"].integer }
        switch data["image_url"].text {
        case let url? where url.contains("/") || url.contains(":"):
            // The vendor's own SDK calls every file `.png`.
            reading.media = [
                MediaReference(url: url, path: data["image_url"].path, declaredType: .fileExtension("png"))
            ]
        case let name?:
            // A bare name is that of a launch image in the app's bundle.
            reading.aps.launchImageName = name
        default: break
        }
        for (name, key) in Self.details {
            if let value = data[key].identifier { reading.details.append(name, .string(value)) }
        }
        return reading
    }

    /// Where the app goes, and what the vendor's server wants to hear again with `delivered`, `click` and `unseen` ("Push
    /// Notification Payload" of its iOS guide).
    private static let details = [
        ("type", "type"), ("route", "route"), ("fromUserId", "from_user_id"), ("senderId", "sender_id"),
        ("logicId", "logic_id"), ("templateId", "template_id"), ("splitGroup", "mf_split_group"),
    ]

    /// A flattened push may have a `data` of somebody else's beside it.
    private static func data(of payload: JSONNode) -> JSONNode {
        guard let nested = payload["data"].object else { return payload }
        return !isPush(nested) && payload.object.map(isPush) == true ? payload : payload["data"]
    }
}
