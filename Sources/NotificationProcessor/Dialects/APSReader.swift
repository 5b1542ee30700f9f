package import Base
import FoundationEssentials
import NotificationModel

/// The reader of Apple's `aps` dictionary, which most providers' payloads have beside their own keys.
///
/// Keys and types are those of Apple's "Generating a remote notification", payload key reference.
struct APSReader {
    private let aps: JSONNode
    private let isOfNode: Bool

    /// Creates a reader for the `aps` of a payload.
    ///
    /// - Parameter isOfNode: Whether keys may be in camel case, as in Firebase's Admin SDK for Node.
    init(_ payload: JSONNode, ofNode isOfNode: Bool = false) { self.init(aps: payload["aps"], ofNode: isOfNode) }

    /// Creates a reader for a payload that has the members of `aps` in another object.
    init(aps: JSONNode, ofNode isOfNode: Bool = false) {
        self.aps = aps.withWholePath
        self.isOfNode = isOfNode
    }

    /// Returns a member of `aps` or of the alert by Apple's name.
    private func member(_ key: String, of node: JSONNode) -> JSONNode {
        guard isOfNode else { return node[key] }
        let words = key.split(separator: "-")
        let camelCase = words.dropFirst().reduce(String(words[0])) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
        return node.either(key, camelCase, ofNode: isOfNode)
    }

    private func own(_ key: String) -> JSONNode { member(key, of: aps) }

    var alert: NotificationText {
        let alert = aps["alert"]
        if let body = alert.string { return NotificationText(body: body) }
        return NotificationText(alert)
    }

    /// The localization of an alert that is a dictionary. Arguments that are no texts are written as JSON.
    var localization: AlertLocalization {
        func line(_ prefix: String) -> AlertLocalization.Line? {
            guard let key = member(prefix + "loc-key", of: aps["alert"]).text else { return nil }
            let arguments = member(prefix + "loc-args", of: aps["alert"]).elements.compactMap(\.value)
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
        fields.threadIdentifier = own("thread-id").string
        fields.targetContentIdentifier = own("target-content-id").string
        fields.interruptionLevel = own("interruption-level").string.flatMap(InterruptionLevel.init) ?? .active
        fields.relevanceScore = min(max(own("relevance-score").double ?? 0, 0), 1)
        fields.filterCriteria = own("filter-criteria").string
        fields.launchImageName = member("launch-image", of: aps["alert"]).string
        fields.mutableContent = own("mutable-content").isSet
        fields.contentAvailable = own("content-available").isSet
        fields.hasVisibleAlert = hasVisibleAlert
        return fields
    }

    /// Whether the push shows nothing. A background push has `content-available`, and no alert, no badge and no sound.
    var isSilent: Bool { own("content-available").isSet && !hasVisibleAlert && !says("badge") && !says("sound") }

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
    /// Creates the payload from `aps` alone. A dialect then adds its own values.
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

/// The headers of a request to APNs, whose names are in upper or lower case.
enum APNsHeaders {
    /// Returns the time until which APNs delivers the notification; `nil` if the headers have none. The value is in
    /// seconds since 1970, as a number or as digits. The value 0 limits only the storing of the notification (Apple,
    /// "Sending notification requests to APNs").
    static func expiration(in headers: JSONNode) -> Date? {
        let key = headers.object?.keys.last { $0.lowercased() == "apns-expiration" }
        guard let seconds = key.flatMap({ headers[$0].looseDouble }), seconds > 0 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

/// The search for keys of a payload that were probably meant as `aps`.
package enum MisspeltAPS {
    /// The maximum number of keys of one object that are compared.
    private static let maxKeys = 64
    private static let members = ["alert", "mutable-content", "content-available", "badge", "sound"]

    /// Returns the keys with the letters of `aps`, and similar keys whose objects have one of Apple's members.
    package static func keys(of payload: JSONObject) -> [String] {
        payload.members.prefix(maxKeys).filter { member in
            let (key, bare) = (member.key, KeyGuess.bare(member.key))
            guard key != "aps" else { return false }
            if bare == "aps" { return true }
            let isNear = bare.sorted() == ["a", "p", "s"] || NearestWord.distance(String(bare.prefix(8)), "aps") == 1
            guard isNear, let object = member.value.object else { return false }
            return members.contains { object[$0] != nil }
        }.map(\.key)
    }
}
