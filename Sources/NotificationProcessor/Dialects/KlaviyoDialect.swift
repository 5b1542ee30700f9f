package import JSON
import MediaTypes
package import NotificationModel

/// The dialect of Klaviyo. `rich-media` is at the top, and the vendor's other keys are in the dictionary `body`.
///
/// The buttons, `body.url`, and a `_k` that is the message's ID are from the vendor's Swift SDK
/// (`PUSH_ACTION_BUTTONS_PAYLOAD_SPEC.md`, `KlaviyoActionButtonParser.swift`).
package struct KlaviyoDialect: Dialect {
    package let id: DialectID = "klaviyo"
    package var marks: [[String]] { [["rich-media"]] }

    /// The type of a file if the payload names none.
    private static let impliedType = "jpg"

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        if payload["rich-media"]?.string != nil { return "rich-media" }
        return (payload["body"]["_k"] ?? .null) == .null ? nil : "body._k"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let body = payload["body"]
        // Campaigns have an object in `_k`.
        reading.providerID = body["_k"].object == nil ? body["_k"].identifier : nil
        let type = payload["rich-media-type"]
        let name = type.text ?? Self.impliedType
        if var item = MediaReference(payload["rich-media"], declaredType: .fileExtension(name)) {
            let words = MediaFormat.words(\.fileExtension)
            item.claims = [MediaClaim(.type(words), at: type, implied: type.text == nil ? Self.impliedType : nil)]
            reading.media = [item]
        }
        reading.actions = body["action_buttons"].elements.compactMap {
            NotificationAction($0, identifier: "id", title: "label")
        }
        if let link = payload["url"].text ?? body["url"].text { reading.details.append("link", .string(link)) }
        return reading
    }
}
