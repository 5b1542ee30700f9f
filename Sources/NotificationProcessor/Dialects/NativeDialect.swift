package import NotificationModel

/// Our own: `media: [{url, id, type, role, options}]`, the text beside it, `fallback` for the other side.
package struct NativeDialect: Dialect {
    package static let id: DialectID = "native"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        guard let media = payload["media"]?.array, media.contains(where: { $0["url"] != nil }) else { return nil }
        return "media[].url"
    }

    package func read(_ payload: JSONObject) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let own = NotificationText(payload)
        let alert = reading.successText
        reading.successText = NotificationText(
            title: own.title ?? alert.title, subtitle: own.subtitle ?? alert.subtitle, body: own.body ?? alert.body)
        if let fallback = payload["fallback"]?.object { reading.fallbackText = NotificationText(fallback) }
        if let badge = payload["badge"]?.integer { reading.aps.badge = badge }
        reading.media = (payload["media"]?.array ?? []).compactMap(Self.reference)
        return reading
    }

    private static func reference(_ value: JSONValue) -> MediaReference? {
        guard let url = value["url"]?.string else { return nil }
        let role = value["role"]?.string.flatMap(MediaRole.init) ?? .attachment
        return MediaReference(
            url: url, identifier: value["id"]?.identifier, role: role, options: AttachmentOptions(value["options"]))
    }
}

extension NotificationText {
    /// The keys `title`, `subtitle` and `body`, where they are strings.
    package init(_ object: JSONObject) {
        self.init(title: object["title"]?.string, subtitle: object["subtitle"]?.string, body: object["body"]?.string)
    }
}

extension AttachmentOptions {
    /// Options that are out of Apple's ranges are left out.
    fileprivate init(_ value: JSONValue?) {
        self.init()
        thumbnailHidden = value["thumbnailHidden"]?.isSet ?? false
        thumbnailTime = value["thumbnailTime"]?.double.flatMap { $0 >= 0 ? $0 : nil }
        let rect = value["thumbnailClippingRect"]
        let sides = ["x", "y", "width", "height"].compactMap { rect[$0]?.double }
        if sides.count == 4, sides.allSatisfy({ (0...1).contains($0) }) {
            thumbnailClippingRect = ClippingRect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        }
    }
}
