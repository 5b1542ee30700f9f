import Base
import NotificationModel

/// The dialect of Cordial. The message's `mcID` is in `system` or at the top, and the image is beside `aps`.
///
/// Keys are those of the public iOS SDK, cordial-ios-sdk (`CordialNotificationServiceExtension.swift`,
/// `PushNotificationParserMessageAttribution.swift`, `PushNotificationParserDeepLinks.swift`). Older payloads have each
/// key at the top level.
struct CordialDialect: APSDialect {
    let id: DialectID = "cordial"
    var marks: [[String]] { [["mcID"]] }

    func detect(_ payload: PayloadLayout) -> String? {
        guard payload["system"] != nil || payload["mcID"] != nil else { return nil }
        return Self.identifier(in: payload.root)?.rule
    }

    private static func identifier(in payload: JSONNode) -> (node: JSONNode, rule: String)? {
        let system = payload["system"]
        let places = [
            (node: system["messageAttribution"]["mcID"], rule: "system.messageAttribution.mcID"),
            (node: system["mcID"], rule: "system.mcID"), (node: payload["mcID"], rule: "mcID"),
        ]
        return places.first { $0.node.text != nil }
    }

    func read(_ payload: JSONNode, into reading: inout PushPayload) {
        reading.media = [MediaReference(payload["imageURL"])].compactMap(\.self)
        reading.providerID = Self.identifier(in: payload)?.node.text
        reading.link(to: payload["system"]["deepLink"].unpacked["url"], payload["deepLink"].unpacked["url"])
    }
}
