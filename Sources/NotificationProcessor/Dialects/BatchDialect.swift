package import JSON
package import NotificationModel

/// Batch: everything of its own in `com.batch`, which has one attachment at most.
///
/// The keys in it, each a letter or two, are those of the public iOS SDK (`BAPushPayload`) and its extension
/// (`RichNotificationHelper`).
package struct BatchDialect: Dialect {
    package let id: DialectID = "batch"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        payload["com.batch"] == nil ? nil : "com.batch"
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        // Through FCM, whose values are all strings, it comes as one.
        let message = payload["com.batch"].string == nil ? payload["com.batch"] : payload["com.batch"].embedded
        reading.providerID = message["i"].identifier
        let type = message["at"]["t"].text.map { DeclaredMediaType.mimeType($0) }
        if var medium = MediaReference(message["at"]["u"], declaredType: type) {
            medium.claims = [MediaClaim.type(message["at"]["t"])].compactMap(\.self)
            reading.media = [medium]
        }
        if let link = message["l"].text { reading.details.append("link", .string(link)) }
        return reading
    }
}
