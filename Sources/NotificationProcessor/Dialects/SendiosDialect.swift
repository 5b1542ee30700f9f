package import NotificationModel

/// Sendios: `data` with `push_id` and `image_url`, nested as APNs delivers it or flattened as FCM does.
package struct SendiosDialect: Dialect {
    package static let id: DialectID = "sendios"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["data"]["push_id"]?.identifier != nil, payload["data"]["image_url"] != nil {
            return "data.push_id+data.image_url"
        }
        if payload["push_id"]?.identifier != nil, payload["image_url"] != nil { return "push_id+image_url" }
        return nil
    }

    package func read(_ payload: JSONObject) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let data = payload["data"]?.object ?? payload
        reading.providerID = data["push_id"]?.identifier
        if reading.successText.isEmpty {
            let notification = payload["notification"]
            reading.successText = NotificationText(
                title: notification["title"]?.string, body: notification["body"]?.string)
        }
        if reading.aps.badge == nil { reading.aps.badge = payload["notification"]["badge"]?.integer }
        switch data["image_url"]?.string {
        case let url? where url.contains("/") || url.contains(":"):
            reading.media = [MediaReference(url: url)]
        case let name? where !name.isEmpty:
            // A bare name is that of a launch image in the app's bundle.
            reading.aps.launchImageName = name
        default: break
        }
        return reading
    }
}
