package import JSON
package import NotificationModel

/// The dialect of Iterable, which has all its keys in `itbl`.
///
/// The vendor's Swift SDK (`NotificationContentParser.swift`) is the source for the reading of buttons, and for an
/// `itbl` that is a string of JSON.
package struct IterableDialect: Dialect {
    package let id: DialectID = "iterable"
    package var marks: [[String]] { [["itbl"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        Self.metadata(of: payload.root).object == nil ? nil : "itbl"
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

    /// Returns the link of the default action, if that action opens a link. Older senders have the link beside `itbl`.
    private static func link(of payload: JSONNode, _ metadata: JSONNode) -> String? {
        let action = metadata["defaultAction"]
        return action["type"].string == "openUrl" ? action["data"].text : payload["url"].text
    }
}
