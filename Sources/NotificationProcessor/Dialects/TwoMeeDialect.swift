import Base
import FoundationEssentials
import NotificationModel

/// The dialect of 2mee. A message has a text, a fallback text and an expiry. A silent push before the alert may
/// prefetch its files.
///
/// A message has one of three forms. The keys of a push are under `appear2mee` beside `aps`, or flat at the top. The
/// third form is a request to the vendor's REST interface. ``TwoMeePlace`` finds the keys. They may also be in a
/// message to FCM. The keys of a push are this project's own, because the vendor's keys are not public. The keys of a
/// request are those of the vendor. `TwoMeeSettings` has the values that an app can set in the vendor's SDK.
struct TwoMeeDialect: LooseDialect {
    let id: DialectID = "2mee"
    var marks: [[String]] { [["appear2mee"], ["fbText", "url"], ["stage", "urls"]] }

    private let settings: TwoMeeSettings

    init(_ settings: TwoMeeSettings = TwoMeeSettings()) { self.settings = settings }

    func detect(_ payload: PayloadLayout) -> String? {
        TwoMeePlace.find(in: payload.root, places: payload.places)?.rule
    }

    func detectLoosely(_ payload: PayloadLayout) -> String? {
        TwoMeePlace.findLoosely(in: payload.root, places: payload.places)?.rule
    }

    func problems(ofUnrecognised payload: PayloadLayout) -> [PayloadProblem] {
        TwoMeePlace.problems(ofUnrecognised: payload.root, places: payload.places)
    }

    func read(_ payload: JSONNode) -> PushPayload { read(payload, in: []) }

    func read(_ payload: JSONNode, in languages: [LanguageTag]) -> PushPayload {
        let message = TwoMeeMessage(payload)
        let media = TwoMeeMedia(message)
        var reading = PushPayload(around: message.place.around, in: payload)
        reading.details = JSONObject()
        reading.providerID = message["id"].identifier
        reading.sharesFiles = true
        reading.successText = NotificationText(message.node, "title", "subtitle", "text").over(reading.successText)
        reading.textPlaces.append(.lines(of: message.node, subtitle: "subtitle", body: "text"))
        let fallback = NotificationText(message.node, "fbTitle", "fbSubtitle", "fbText").withoutBlanks
        reading.fallbackText = fallback.isEmpty ? nil : fallback.over(reading.successText)
        reading.media = media.references + reading.media
        reading.putsImagesAside = settings.putsImagesAside
        reading.expiresAt = message.expiry
        reading.holdsFilesUntil = message.expiry
        reading.problems = message.problems + media.problems
        if message.stage == .prefetch {
            // A phone shows the alert of a push at any stage of the message.
            if reading.aps.hasVisibleAlert { reading.problems.append(message.prefetchedAlert) }
            reading.isSilent = !reading.aps.hasVisibleAlert
        }
        if reading.isSilent { reading.successText = reading.alert }
        showText(of: message, in: &reading)
        if message.place.isCancelled { cancel(message, in: &reading) }
        // A silent push loads the media that it names, even without the item that the message requires.
        reading.lacksRequiredMedia = media.lacksMessage && (!reading.isSilent || media.references.isEmpty)
        describe(message, in: &reading)
        if !reading.isSilent { present(message, in: languages, &reading) }
        return reading
    }

    /// Shows the fallback text in a push without a text. If both are missing, the push shows nothing, as on a phone.
    private func showText(of message: TwoMeeMessage, in reading: inout PushPayload) {
        guard reading.lacksText else { return }
        let fallback = reading.fallbackText.flatMap { $0.isBlank ? nil : $0 }
        reading.problems.append(message.lackOfText(hasFallback: fallback != nil))
        if let fallback { reading.successText = fallback } else { reading.isSilent = true }
    }

    /// Shows nothing of a message that its sender has cancelled.
    private func cancel(_ message: TwoMeeMessage, in reading: inout PushPayload) {
        reading.isSilent = true
        (reading.successText, reading.fallbackText, reading.media) = (reading.alert, nil, [])
        reading.problems = [message.place.cancelled]
    }

    /// Adds the values that the app's own code needs.
    private func describe(_ message: TwoMeeMessage, in reading: inout PushPayload) {
        reading.details.append("kind", text: message.kind?.rawValue)
        if message.place.hasRestType {
            for key in ["state", "subType"] { reading.details.append(key, text: message[key].text) }
            for key in ["tags", "userList"] {
                if let value = message[key].value, value != .null { reading.details.append(key, value) }
            }
        }
        let (read, problems) = message.keys
        reading.problems += problems
        guard let keys = read else { return }
        reading.details.append("keys", .object(keys))
        // `link` is the key in the vendor's guide. The vendor's platform itself opens `__openExternalURL`.
        reading.link(to: JSONNode(keys)["link"], JSONNode(keys)["__openExternalURL"])
    }

    /// Sets the appearance and the sound of the notification. A silent push needs neither.
    private func present(_ message: TwoMeeMessage, in languages: [LanguageTag], _ reading: inout PushPayload) {
        let labels = settings.labels(in: languages)
        reading.aps.category = settings.category
        if reading.aps.sound == nil, let sound = settings.sounds[message.kind?.rawValue ?? TwoMeeSettings.otherKind] {
            reading.aps.sound = NotificationSound(name: sound)
        }
        reading.actions = [
            NotificationAction(
                identifier: "accept", title: message["action"].text ?? labels.accept,
                link: reading.details["link"]?.string),
            NotificationAction(identifier: "dismiss", title: labels.dismiss),
            NotificationAction(identifier: "play", title: labels.play),
        ]
        reading.labelsActions = true
        reading.expiryText = NotificationText(title: reading.successText.title, body: labels.expiredText)
        if let playTime = message.playTime { reading.details.append("playTime", playTime) }
        let presentation = settings.presentation(of: reading.details["keys"]?.object).reading(message["presentation"])
        reading.details.append("presentation", .object(presentation.shown.details(isFace: message.kind == .face)))
        reading.problems += presentation.problems
    }
}
