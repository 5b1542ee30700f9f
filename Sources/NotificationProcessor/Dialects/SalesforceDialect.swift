package import JSON
package import NotificationModel

/// The payloads of Salesforce Marketing Cloud. `_mediaUrl` is the URL of the media item, and `_mediaAlt` the body of
/// the notification if the media item cannot be shown.
///
/// `_m` is the id of the message. `_od` (OpenDirect) takes precedence over `_x` (a CloudPage) as the link. The source
/// of these three keys and of their order is the vendor's Cordova plugin (`MCCordovaPlugin.m` and its tests).
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
