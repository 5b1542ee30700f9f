package import JSON
package import NotificationModel

/// The dialect of Mindbox. `clickUrl`, `imageUrl` and `buttons` are at the top, and the message's ID is in `uniqueKey`.
///
/// The buttons and `payload` (the sender's own data, a string) are from the vendor's "iOS Push Notifications Format".
package struct MindboxDialect: Dialect {
    package let id: DialectID = "mindbox"
    package var marks: [[String]] { [["clickUrl", "uniqueKey"]] }

    package init() {}

    package func detect(_ payload: PayloadLayout) -> String? {
        payload["clickUrl"]?.string != nil && payload["uniqueKey"]?.string != nil ? "clickUrl+uniqueKey" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["uniqueKey"].identifier
        reading.media = [MediaReference(payload["imageUrl"])].compactMap(\.self)
        reading.actions = payload["buttons"].elements.compactMap {
            NotificationAction($0, identifier: "uniqueKey", title: "text")
        }
        if let link = payload["clickUrl"].text { reading.details.append("link", .string(link)) }
        if let data = payload["payload"].text { reading.details.append("userData", .string(data)) }
        return reading
    }
}
