import NotificationModel

/// Apple's `aps` dictionary, which most providers' payloads carry beside their own keys.
///
/// Keys and types are those of Apple's "Generating a remote notification", payload key reference.
struct APSReader {
    private let aps: JSONValue?

    init(_ payload: JSONObject) { aps = payload["aps"] }

    var alert: NotificationText {
        let alert = aps["alert"]
        if let body = alert?.string { return NotificationText(body: body) }
        return NotificationText(
            title: alert["title"]?.string, subtitle: alert["subtitle"]?.string, body: alert["body"]?.string)
    }

    var fields: APSFields {
        var fields = APSFields()
        fields.badge = aps["badge"]?.integer
        fields.sound = sound
        fields.category = aps["category"]?.string
        fields.threadIdentifier = aps["thread-id"]?.string
        fields.targetContentIdentifier = aps["target-content-id"]?.string
        fields.interruptionLevel = aps["interruption-level"]?.string.flatMap(InterruptionLevel.init) ?? .active
        fields.relevanceScore = min(max(aps["relevance-score"]?.double ?? 0, 0), 1)
        fields.filterCriteria = aps["filter-criteria"]?.string
        fields.launchImageName = aps["alert"]["launch-image"]?.string
        fields.mutableContent = aps["mutable-content"]?.isSet ?? false
        fields.contentAvailable = aps["content-available"]?.isSet ?? false
        fields.hasVisibleAlert = hasVisibleAlert
        return fields
    }

    /// A background push shows nothing: `content-available`, and neither alert, badge nor sound.
    var isSilent: Bool {
        (aps["content-available"]?.isSet ?? false) && !hasVisibleAlert && !says("badge") && !says("sound")
    }

    private func says(_ key: String) -> Bool { (aps[key] ?? .null) != .null }

    private var hasVisibleAlert: Bool {
        switch aps["alert"] {
        case .string(let text): !text.isEmpty
        case .object(let alert): !alert.isEmpty
        default: false
        }
    }

    private var sound: NotificationSound? {
        if let name = aps["sound"]?.string { return NotificationSound(name: name) }
        guard let dictionary = aps["sound"]?.object else { return nil }
        var sound = NotificationSound(name: dictionary["name"]?.string ?? "default")
        sound.critical = dictionary["critical"]?.isSet ?? false
        sound.volume = min(max(dictionary["volume"]?.double ?? 1, 0), 1)
        return sound
    }
}

extension PushPayload {
    /// What `aps` alone says; a dialect puts its own on top.
    init(aps reader: APSReader) {
        self.init()
        aps = reader.fields
        successText = reader.alert
        isSilent = reader.isSilent
    }
}
