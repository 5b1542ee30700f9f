package import JSON
package import NotificationModel

/// Salesforce Marketing Cloud: `_mediaUrl`, and `_mediaAlt` as the body when it cannot be had.
///
/// `_m` (the message), `_od` (OpenDirect) and `_x` (a CloudPage) are from the vendor's Cordova plugin
/// (`MCCordovaPlugin.m` and its tests), which prefers them in this order.
package struct SalesforceDialect: Dialect {
    package let id: DialectID = "salesforce"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["_mediaUrl"]?.string == nil ? nil : "_mediaUrl"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        reading.providerID = payload["_m"].identifier
        reading.media = [MediaReference(payload["_mediaUrl"])].compactMap(\.self)
        if let body = payload["_mediaAlt"].text {
            reading.fallbackText = NotificationText(body: body).over(reading.successText)
        }
        if let link = payload["_od"].text ?? payload["_x"].text { reading.details.append("link", .string(link)) }
        return reading
    }
}
