import FoundationEssentials
package import NotificationModel

/// 2mee, the model of the kind: two sides of text, a silent push before the alert, a message that expires.
///
/// The wire keys of the push are ours (the vendor's are not public); those of the REST shape are the vendor's.
package struct TwoMeeDialect: Dialect {
    package let id: DialectID = "2mee"

    /// The vendor's default text of an expired message.
    static let expiredText = "Sorry, opportunity missed!"

    package init() {}

    package func detect(_ payload: JSONObject) -> String? {
        if payload["appear2mee"]?.object != nil { return "appear2mee" }
        let hasMedia = payload["url"] != nil || payload["holoPushUrl"] != nil
        return payload["fbText"] != nil && hasMedia ? "fbText+url" : nil
    }

    package func read(_ payload: JSONNode) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let isPush = payload["appear2mee"].object != nil
        let message = isPush ? payload["appear2mee"] : payload
        reading.providerID = message["id"].identifier
        if isPush {
            reading.media = message["urls"].elements.compactMap { MediaReference($0) }
        } else {
            reading.successText = NotificationText(message, "title", "subtitle", "text")
            reading.media = ["url", "holoPushUrl"].compactMap { MediaReference(message[$0]) }
        }
        let fallback = NotificationText(message, "fbTitle", "fbSubtitle", "fbText")
        reading.fallbackText = fallback.isEmpty ? nil : fallback
        if message["stage"].string == "prefetch" { reading.isSilent = true }
        if let title = message["action"].string {
            reading.actions = [NotificationAction(identifier: "accept", title: title)]
        }
        reading.expiresAt = Self.expiry(of: message)
        reading.expiryText = NotificationText(title: reading.successText.title, body: Self.expiredText)
        return reading
    }

    /// `playTime` (milliseconds since 1970) and `expiry` (minutes after it).
    private static func expiry(of message: JSONNode) -> Date? {
        guard let playTime = message["playTime"].double, let minutes = message["expiry"].double else { return nil }
        return Date(timeIntervalSince1970: playTime / 1_000 + minutes * 60)
    }
}
