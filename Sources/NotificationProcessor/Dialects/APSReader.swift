import JSON
import NotificationModel

/// Apple's `aps` dictionary, which most providers' payloads carry beside their own keys.
///
/// Keys and types are those of Apple's "Generating a remote notification", payload key reference.
struct APSReader {
    private let aps: JSONNode

    init(_ payload: JSONNode) { self.init(aps: payload["aps"]) }

    /// Of a payload that has what `aps` holds at another place.
    init(aps: JSONNode) { self.aps = aps }

    var alert: NotificationText {
        let alert = aps["alert"]
        if let body = alert.string { return NotificationText(body: body) }
        return NotificationText(alert)
    }

    /// Of an alert that is a dictionary. Arguments that are no texts are written as JSON writes them.
    var localization: AlertLocalization {
        func line(_ prefix: String) -> AlertLocalization.Line? {
            guard let key = aps["alert"][prefix + "loc-key"].text else { return nil }
            let arguments = aps["alert"][prefix + "loc-args"].elements.compactMap(\.value)
            return .init(key: key, arguments: arguments.map { $0.string ?? JSONWriter.text(of: $0) })
        }
        var localization = AlertLocalization()
        localization.title = line("title-")
        localization.subtitle = line("subtitle-")
        localization.body = line("")
        if !localization.isEmpty { localization.place = aps["alert"].path }
        return localization
    }

    var textPlace: TextPlace { .alert(aps["alert"].path) }

    var fields: APSFields {
        var fields = APSFields()
        fields.badge = aps["badge"].integer
        fields.sound = sound
        fields.category = aps["category"].string
        fields.threadIdentifier = aps["thread-id"].string
        fields.targetContentIdentifier = aps["target-content-id"].string
        fields.interruptionLevel = aps["interruption-level"].string.flatMap(InterruptionLevel.init) ?? .active
        fields.relevanceScore = min(max(aps["relevance-score"].double ?? 0, 0), 1)
        fields.filterCriteria = aps["filter-criteria"].string
        fields.launchImageName = aps["alert"]["launch-image"].string
        fields.mutableContent = aps["mutable-content"].isSet
        fields.contentAvailable = aps["content-available"].isSet
        fields.hasVisibleAlert = hasVisibleAlert
        return fields
    }

    /// A background push shows nothing: `content-available`, and neither alert, badge nor sound.
    var isSilent: Bool { aps["content-available"].isSet && !hasVisibleAlert && !says("badge") && !says("sound") }

    private func says(_ key: String) -> Bool { (aps[key].value ?? .null) != .null }

    private var hasVisibleAlert: Bool {
        switch aps["alert"].value {
        case .string(let text): !text.isEmpty
        case .object(let alert): !alert.isEmpty
        default: false
        }
    }

    private var sound: NotificationSound? {
        if let name = aps["sound"].string { return NotificationSound(name: name) }
        guard aps["sound"].object != nil else { return nil }
        var sound = NotificationSound(name: aps["sound"]["name"].string ?? "default")
        sound.critical = aps["sound"]["critical"].isSet
        sound.volume = min(max(aps["sound"]["volume"].double ?? 1, 0), 1)
        return sound
    }
}

extension PushPayload {
    /// What `aps` alone says; a dialect puts its own on top.
    init(aps reader: APSReader) {
        self.init()
        aps = reader.fields
        alert = reader.alert
        successText = alert
        localization = reader.localization
        textPlaces = [reader.textPlace]
        isSilent = reader.isSilent
    }
}
