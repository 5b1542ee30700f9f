import FoundationEssentials
package import NotificationModel

/// 2mee, the model of the kind: two sides of text, a silent push before the alert, a message that expires.
///
/// A message comes in one of three shapes: under `appear2mee` beside `aps`, with the same keys flat at the top, or as the
/// request to the vendor's REST interface. The wire keys of the push are ours (the vendor's are not public); those of the
/// REST shape are the vendor's. ``Settings`` has what the vendor's SDK lets an app decide.
package struct TwoMeeDialect: Dialect {
    package let id: DialectID = "2mee"

    private let settings: Settings

    package init(_ settings: Settings = Settings()) { self.settings = settings }

    package func detect(_ payload: JSONObject) -> String? {
        if payload["appear2mee"]?.object != nil { return "appear2mee" }
        if payload["fbText"] != nil {
            if payload["url"] != nil || payload["holoPushUrl"] != nil { return "fbText+url" }
            return Self.flatKeys.first { payload[$0] != nil }.map { "fbText+\($0)" }
        }
        if payload["urls"]?.array != nil, let key = TwoMeeMessage.wordKey(in: payload) { return "\(key)+urls" }
        // A text alone, as the REST interface takes it. Other senders have a type and a text, too.
        guard payload["aps"] == nil, TwoMeeMessage.restTypes.contains(payload["type"]?.string?.uppercased() ?? ""),
            payload["text"]?.string != nil
        else { return nil }
        return Self.restKeys.first { payload[$0] != nil }.map { "type+\($0)" }
    }

    /// Keys of a flat message, one of which stands beside `fbText`.
    private static let flatKeys = [
        "urls", "aps", "text", "title", "subtitle", "fbTitle", "fbSubtitle", "type", "kind", "stage", "action", "about",
        "keys", "playTime", "expiry",
    ]

    /// Keys of a REST request, one of which stands beside `type` and `text`.
    private static let restKeys = ["holoPushUrl", "subType", "channel", "appId", "about", "playTime"]

    package func read(_ payload: JSONNode) -> PushPayload { read(payload, in: []) }

    package func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        var reading = PushPayload(aps: APSReader(payload))
        let message = TwoMeeMessage(payload)
        let media = TwoMeeMedia(message)
        reading.providerID = message.node["id"].identifier
        reading.sharesFiles = true
        if !message.isNested {
            reading.successText = NotificationText(message.node, "title", "subtitle", "text").over(reading.alert)
            reading.textPlaces.append(.lines(of: message.node, subtitle: "subtitle", body: "text"))
        }
        let fallback = NotificationText(message.node, "fbTitle", "fbSubtitle", "fbText")
        reading.fallbackText = fallback.isEmpty ? nil : fallback.over(reading.successText)
        reading.media = media.references
        reading.putsPicturesAside = settings.putsPicturesAside
        reading.expiresAt = message.expiry
        reading.holdsFilesUntil = reading.expiresAt
        reading.problems = message.problems + media.problems
        if message.stage == .prefetch {
            // A phone shows the alert that it gets.
            if reading.aps.hasVisibleAlert { reading.problems.append(message.prefetchedAlert) }
            reading.isSilent = !reading.aps.hasVisibleAlert
        }
        // A silent push brings what it names, whatever that is.
        reading.lacksRequiredMedia = media.lacksMessage && (!reading.isSilent || media.references.isEmpty)
        describe(message, in: &reading)
        if !reading.isSilent { present(message, in: languages, &reading) }
        return reading
    }

    /// The words that the app's own code needs.
    private func describe(_ message: TwoMeeMessage, in reading: inout PushPayload) {
        if let kind = message.kindName { reading.details.append("kind", .string(kind)) }
        guard let keys = message.keys else { return }
        reading.details.append("keys", .object(keys))
        // The first is a key as the vendor's guide has it, the second one that its platform opens by itself.
        if let link = ["link", "__openExternalURL"].lazy.compactMap({ JSONNode(keys)[$0].text }).first {
            reading.details.append("link", .string(link))
        }
    }

    /// The looks and sounds of the notification. A silent push shows nothing.
    private func present(_ message: TwoMeeMessage, in languages: [LanguageTag], _ reading: inout PushPayload) {
        let labels = settings.labels(in: languages)
        reading.aps.category = settings.category
        if reading.aps.sound == nil, let sound = settings.sounds[message.kind?.rawValue ?? Settings.otherKind] {
            reading.aps.sound = NotificationSound(name: sound)
        }
        reading.actions = [
            NotificationAction(identifier: "accept", title: message.node["action"].text ?? labels.accept),
            NotificationAction(identifier: "dismiss", title: labels.dismiss),
            NotificationAction(identifier: "play", title: labels.play),
        ]
        reading.labelsActions = true
        reading.expiryText = NotificationText(title: reading.successText.title, body: labels.expiredText)
        if let playTime = message.node["playTime"].value, playTime.double != nil {
            reading.details.append("playTime", playTime)
        }
        let presentation = settings.presentation.reading(message.node["presentation"])
        reading.details.append("presentation", .object(presentation.shown.details(isFace: message.kind == .face)))
        reading.problems += presentation.problems
    }
}
