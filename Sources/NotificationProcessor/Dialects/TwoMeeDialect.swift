import FoundationEssentials
package import NotificationModel

/// 2mee, the model of the kind: two sides of text, a silent push before the alert, a message that expires.
///
/// The wire keys of the push are ours (the vendor's are not public); those of the REST shape are the vendor's. What the
/// vendor's SDK lets an app decide is in ``Settings``.
package struct TwoMeeDialect: Dialect {
    package let id: DialectID = "2mee"

    /// The defaults are the vendor's ("Custom Settings" of its iOS guide).
    package struct Settings: Sendable, Equatable {
        package var category = "appear2meeNotificationCategory"
        package var expiredText = "Sorry, opportunity missed!"
        package var accept = "OK"
        package var dismiss = "Dismiss"
        package var play = "Play"
        /// By kind.
        package var sounds = [
            "face": "tothepoint.aiff", "image": "slowspringboard.aiff", "animation": "slowspringboard.aiff",
            "video": "slowspringboard.aiff", "text": "slowspringboard.aiff",
        ]

        package init() {}
    }

    private let settings: Settings

    package init(_ settings: Settings = Settings()) { self.settings = settings }

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
        reading.sharesFiles = true
        if isPush {
            reading.media = message["urls"].elements.compactMap { MediaReference($0) }
        } else {
            reading.successText = NotificationText(message, "title", "subtitle", "text")
            reading.media = ["url", "holoPushUrl"].compactMap { MediaReference(message[$0]) }
        }
        let fallback = NotificationText(message, "fbTitle", "fbSubtitle", "fbText")
        reading.fallbackText = fallback.isEmpty ? nil : fallback.over(reading.successText)
        reading.expiresAt = Self.expiry(of: message)
        reading.holdsFilesUntil = reading.expiresAt
        if message["stage"].string == "prefetch" { reading.isSilent = true }
        present(message, isPush: isPush, in: &reading)
        return reading
    }

    /// What the notification looks and sounds like. A silent push shows nothing.
    private func present(_ message: JSONNode, isPush: Bool, in reading: inout PushPayload) {
        let kind = isPush ? message["kind"].text : Self.kind(of: message)
        if let kind { reading.details.append("kind", .string(kind)) }
        if let keys = isPush ? message["keys"].object : Self.keys(of: message) {
            reading.details.append("keys", .object(keys))
        }
        guard !reading.isSilent else { return }
        reading.aps.category = settings.category
        if reading.aps.sound == nil, let sound = kind.flatMap({ settings.sounds[$0] }) {
            reading.aps.sound = NotificationSound(name: sound)
        }
        reading.actions = [
            NotificationAction(identifier: "accept", title: message["action"].text ?? settings.accept)
        ]
        reading.details.append(
            "labels",
            [
                "accept": .string(settings.accept), "dismiss": .string(settings.dismiss),
                "play": .string(settings.play),
            ])
        reading.expiryText = NotificationText(title: reading.successText.title, body: settings.expiredText)
    }

    /// `playTime` (milliseconds since 1970) and `expiry` (minutes after it).
    private static func expiry(of message: JSONNode) -> Date? {
        guard let playTime = message["playTime"].double, let minutes = message["expiry"].double else { return nil }
        return Date(timeIntervalSince1970: playTime / 1_000 + minutes * 60)
    }

    /// Of the REST shape: `HOLOPUSH` is a face, `TEXT` a text, with `subType` `I` an image.
    private static func kind(of message: JSONNode) -> String? {
        switch (message["type"].string, message["subType"].string) {
        case ("HOLOPUSH", _): "face"
        case ("TEXT", "I"): "image"
        case ("TEXT", _): "text"
        default: nil
        }
    }

    /// Of the REST shape: what the platform's user attached for accept and dismiss.
    private static func keys(of message: JSONNode) -> JSONObject? {
        guard message["about"].array != nil else { return nil }
        return message["about"].elements.reduce(into: JSONObject()) { keys, pair in
            if let key = pair["key"].text, let value = pair["value"].value { keys.append(key, value) }
        }
    }
}
