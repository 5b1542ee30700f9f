package import Base
package import NotificationModel

/// The judgement whether an iPhone would have run the app's notification service extension for a payload, with the
/// obstacle if there is one. The obstacle is one sentence for people: the path of the value, and the remedy.
///
/// A phone runs the extension if the payload has a visible alert, and `mutable-content` with the value 1 (Apple,
/// "Modifying content in newly delivered notifications"). The system alone handles a payload for a Live Activity
/// (Apple, "Starting and updating Live Activities with ActivityKit push notifications").
extension PhoneView {
    package init(_ payload: JSONObject) {
        let root = JSONNode(payload)
        if root["aps"].object != nil {
            let why = Self.liveActivity(root["aps"]) ?? Self.unseenAlert(root) ?? Self.unsetFlag(root)
            self.init(wouldRunExtension: why == nil, why: why)
        } else if let message = FCMDialect.message(of: root) {
            // A phone receives the push that FCM makes of this message.
            self.init(
                why: Self.obstacle(inFCM: message, isBare: message.path == .root)
                    ?? "FCM makes the push for an iPhone of this message")
        } else {
            self.init(why: Self.absenceOfAPS(in: payload))
        }
    }

    /// Returns the obstacle in a message to FCM. FCM forwards Apple's payload. If Apple's payload has no alert, FCM
    /// makes one from the message's text.
    private static func obstacle(inFCM message: JSONNode, isBare: Bool) -> String? {
        let push = message["apns"]["payload"]
        let flagPlace = push["aps"][flag].path
        guard push["aps"].object != nil else {
            return "\(push["aps"].path) is missing, so FCM sends no \(flag): set \(flagPlace) to the number 1"
        }
        if let activity = liveActivity(push["aps"]) { return activity }
        let text = ["title", "body"].lazy.compactMap { message["notification"][$0].text }.first
        if text == nil, let unseen = unseenAlert(push) { return unseen }
        // The Admin SDK for Node takes the flag in camel case, and sends it as a number.
        if isBare, push["aps"]["mutableContent"].isSet { return nil }
        return unsetFlag(push)
    }

    /// The number of keys that are searched for a mistake. A payload of 4,096 bytes seldom has more.
    private static let maxKeys = 256
    private static let flag = "mutable-content"

    private static func absenceOfAPS(in payload: JSONObject) -> String {
        if let aps = payload["aps"] { return "/aps is \(aps.typeName): it must be an object" }
        let mistaken = payload.members.prefix(maxKeys).first { member in
            ["alert", flag, "content-available"].contains { member.value[$0] != nil }
        }
        if let mistaken { return mistake(JSONPath([.key(mistaken.key)]), for: "/aps") }
        return "there is no object /aps, so it is not a push to a phone"
    }

    private static func liveActivity(_ aps: JSONNode) -> String? {
        let marks = [aps["content-state"], aps["event"]]
        guard let mark = marks.first(where: { $0.object != nil || $0.text != nil }) else { return nil }
        return
            "\(mark.path) makes it a push for a Live Activity, and no extension runs for it: remove it to show an alert"
    }

    private static func unseenAlert(_ root: JSONNode) -> String? {
        let alert = root["aps"]["alert"]
        switch alert.value {
        case nil, .null: return absenceOfAlert(root)
        case .string(let text):
            return text.isEmpty ? "\(alert.path) is empty, so nothing is shown: write a text" : nil
        case .object:
            let lines = ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"]
            if lines.contains(where: { alert[$0].text != nil }) { return nil }
            return "\(alert.path) has no title, subtitle or body with a text: write one"
        case .bool(_)?, .number(_)?, .array(_)?:
            return "\(alert.path) is \(alert.value?.typeName ?? ""): it must be a text or an object"
        }
    }

    private static func absenceOfAlert(_ root: JSONNode) -> String {
        let aps = root["aps"]
        if (root["alert"].value ?? .null) != .null {
            return mistake(root["alert"].path, for: aps["alert"].path.description)
        }
        if let line = ["title", "subtitle", "body"].first(where: { aps[$0].text != nil }) {
            return mistake(aps[line].path, for: aps["alert"][line].path.description)
        }
        if aps["content-available"].isSet {
            return "it is a background push, which shows nothing: write a text at \(aps["alert"].path)"
        }
        return "\(aps["alert"].path) is missing, so nothing is shown: write a text"
    }

    private static func unsetFlag(_ root: JSONNode) -> String? {
        let node = root["aps"][flag]
        switch node.value {
        case nil: return absenceOfFlag(root)
        case .number(let number) where number.integer == 1: return nil
        case .number: return "\(node.path) is not 1: it must be the number 1"
        case .bool(let bool): return "\(node.path) is \(bool): it must be the number 1"
        case .null, .string(_)?, .array(_)?, .object(_)?:
            return "\(node.path) is \(node.value?.typeName ?? ""): it must be the number 1"
        }
    }

    private static func absenceOfFlag(_ root: JSONNode) -> String {
        for place in [root["aps"], root, root["aps"]["alert"]] {
            // The key may be a misspelling of the flag's name, such as `mutableContent` or `mutabel-content`.
            let keys = (place.object?.members ?? []).prefix(maxKeys).map(\.key)
            if let key = keys.first(where: { NearestWord.nearest(to: $0.lowercased(), among: [flag]) != nil }) {
                return mistake(place[key].path, for: root["aps"][flag].path.description)
            }
        }
        return "\(root["aps"][flag].path) is missing: set it to the number 1"
    }

    private static func mistake(_ place: JSONPath, for meant: String) -> String {
        "a phone does not read \(place): it must be \(meant)"
    }
}
