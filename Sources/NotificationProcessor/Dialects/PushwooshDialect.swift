package import JSON
package import NotificationModel

/// Pushwoosh: `attachment` is the URL itself.
///
/// `p`, `l` (the link) and `u` (the sender's own data, a string of JSON) are from the vendor's "Push Notification payload
/// keys" and from its answers in Pushwoosh/pushwoosh-ios-sdk#68 and Pushwoosh/pushwoosh-sdk-samples#24.
package struct PushwooshDialect: Dialect {
    package let id: DialectID = "pushwoosh"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["attachment"]?.string == nil ? nil : "attachment"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["p"].identifier
        reading.media = [MediaReference(payload["attachment"])].compactMap(\.self)
        if let link = payload["l"].text { reading.details.append("link", .string(link)) }
        switch payload["u"].value {
        case .string(let data)?: reading.details.append("userData", .string(data))
        case .object(let data)?: reading.details.append("userData", .object(data))
        default: break
        }
        return reading
    }
}
