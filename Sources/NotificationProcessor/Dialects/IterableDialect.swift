package import JSON
package import NotificationModel

/// Iterable: all of it is under `itbl`.
///
/// That `itbl` may be a string that holds JSON, and how buttons are read, is from the vendor's Swift SDK
/// (`NotificationContentParser.swift`).
package struct IterableDialect: Dialect {
    package let id: DialectID = "iterable"
    package var marks: [[String]] { [["itbl"]] }

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        Self.metadata(of: JSONNode(payload)).object == nil ? nil : "itbl"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let metadata = Self.metadata(of: payload)
        reading.providerID = metadata["messageId"].identifier
        reading.media = [MediaReference(metadata["attachment-url"])].compactMap(\.self)
        reading.actions = metadata["actionButtons"].elements.compactMap {
            NotificationAction($0, identifier: "identifier", title: "title")
        }
        if let link = Self.link(of: payload, metadata) { reading.details.append("link", .string(link)) }
        return reading
    }

    private static func metadata(of payload: JSONNode) -> JSONNode {
        payload["itbl"].string == nil ? payload["itbl"] : payload["itbl"].embedded
    }

    /// Of the default action where it opens one; senders of old have it beside `itbl`.
    private static func link(of payload: JSONNode, _ metadata: JSONNode) -> String? {
        let action = metadata["defaultAction"]
        return action["type"].string == "openUrl" ? action["data"].text : payload["url"].text
    }
}
