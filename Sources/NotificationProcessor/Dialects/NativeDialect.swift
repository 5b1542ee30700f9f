import Base
import NotificationModel

/// The dialect of this project's own format. The format has `media: [{url, id, type, role, options}]` with the text
/// beside it. `fallback` has the text that is shown without media.
struct NativeDialect: APSDialect {
    let id: DialectID = "native"
    var marks: [[String]] { [["media"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        guard let media = payload["media"]?.array, media.contains(where: { $0["url"] != nil }) else { return nil }
        return "media[].url"
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.successText = NotificationText(payload).over(reading.successText)
        reading.textPlaces.append(.lines(of: payload, subtitle: "subtitle"))
        if payload["fallback"].object != nil {
            reading.fallbackText = NotificationText(payload["fallback"]).over(reading.successText)
        }
        if let badge = payload["badge"].integer { reading.aps.badge = badge }
        reading.media = payload["media"].elements.compactMap(Self.reference)
    }

    private static func reference(_ item: JSONNode) -> MediaReference? {
        // An empty URL is the sender's mistake, and is reported as such.
        guard let url = item["url"].string else { return nil }
        var reference = MediaReference(
            url: url, path: item["url"].path, identifier: item["id"].identifier,
            role: item["role"].string.flatMap(MediaRole.init) ?? .attachment,
            declaredType: item["type"].text.map { .mimeType($0) }, options: AttachmentOptions(item["options"]))
        let facts = MediaClaim.facts([
            (.byteCount, item["size"]), (.width, item["width"]), (.height, item["height"]), (.fileName, item["name"]),
        ])
        reference.claims = ([MediaClaim.type(item["type"])] + facts).compactMap(\.self)
        return reference
    }
}

extension AttachmentOptions {
    /// Creates the options. Options outside Apple's ranges are left out.
    fileprivate init(_ node: JSONNode) {
        self.init()
        thumbnailHidden = node["thumbnailHidden"].isSet
        thumbnailTime = node["thumbnailTime"].double.flatMap { $0 >= 0 ? $0 : nil }
        thumbnailClippingRect = Rectangle(node["thumbnailClippingRect"])
    }
}
