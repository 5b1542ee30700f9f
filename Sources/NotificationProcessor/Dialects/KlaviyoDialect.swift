import Base
import NotificationModel

/// The dialect of Klaviyo. `rich-media` is at the top, and the vendor's other keys are in the dictionary `body`.
///
/// The buttons, `body.url`, and a `_k` that is the message's ID are from the vendor's Swift SDK
/// (`PUSH_ACTION_BUTTONS_PAYLOAD_SPEC.md`, `KlaviyoActionButtonParser.swift`).
struct KlaviyoDialect: APSDialect {
    let id: DialectID = "klaviyo"
    var marks: [[String]] { [["rich-media"]] }

    /// The type of a file if the payload names none.
    private static let impliedType = "jpg"

    func detect(_ payload: PayloadLayout) -> String? {
        if payload["rich-media"]?.string != nil { return "rich-media" }
        return (payload["body"]["_k"] ?? .null) == .null ? nil : "body._k"
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        let body = payload["body"]
        // Campaigns have an object in `_k`.
        reading.providerID = body["_k"].object == nil ? body["_k"].identifier : nil
        let type = payload["rich-media-type"]
        let name = type.text ?? Self.impliedType
        let claim = MediaClaim(
            .type(MediaFormat.words(\.fileExtension)), at: type, implied: type.text == nil ? Self.impliedType : nil)
        reading.media = [MediaReference(payload["rich-media"], declaredType: .fileExtension(name), claims: [claim])]
            .compactMap(\.self)
        reading.actions = body["action_buttons"].actions(identifier: "id", title: "label") { $0["url"] }
        reading.details.append("link", text: payload["url"].text ?? body["url"].text)
    }
}
