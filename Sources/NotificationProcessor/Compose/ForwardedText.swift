import NotificationModel

/// Puts the texts of the processed content into the places of a payload where its receivers read them: Apple's alert, and
/// the places that the dialect's own format has.
struct ForwardedText {
    private static let keysOfNames = [
        "title-loc-key", "title-loc-args", "subtitle-loc-key", "subtitle-loc-args", "loc-key", "loc-args",
    ]

    let text: NotificationText
    let dialect: DialectID?

    func placed(in payload: JSONObject) -> JSONObject {
        let root = JSONNode(payload)
        var value = alert(root["aps"]["alert"], in: .object(payload))
        switch dialect {
        case "2mee" where root["appear2mee"].object == nil:
            value = lines(root, ["title", "subtitle", "text"], in: value)
        case "native", "expo": value = lines(root, in: value)
        case "ntfy": value = lines(root, ["title", "", "message"], in: value)
        case "sendios": value = lines(root["notification"], in: value)
        case "braze": value = alert(root["messages"]["apple_push"]["alert"], in: value)
        case "fcm":
            let message = root["message"]
            for platform in [message, message["android"], message["webpush"]] {
                value = lines(platform["notification"], in: value)
            }
            value = alert(message["apns"]["payload"]["aps"]["alert"], in: value)
        case "webpush":
            // The number of RFC 8030 tells a declarative message, which has the notification's members inside.
            value = lines(root["web_push"].integer == 8030 ? root["notification"] : root, in: value)
        default: break
        }
        return value.object ?? payload
    }

    /// An alert that is there says all three lines, and none by a name that the receiver would look up.
    private func alert(_ alert: JSONNode, in value: JSONValue) -> JSONValue {
        guard let old = alert.value, old != .null else { return value }
        let names = Self.keysOfNames + ["title", "subtitle", "body"]
        var new = JSONObject()
        for (key, line) in [("title", text.title), ("subtitle", text.subtitle), ("body", text.body)] {
            if let line { new.append(key, .string(line)) }
        }
        for member in old.object?.members ?? [] where !names.contains(member.key) {
            new.append(member.key, member.value)
        }
        return value.replacing(alert.path, with: .object(new))
    }

    /// The lines that a notification has; a line that it does not have would be read by nobody.
    private func lines(
        _ notification: JSONNode, _ keys: [String] = ["title", "subtitle", "body"], in value: JSONValue
    ) -> JSONValue {
        zip(keys, [text.title, text.subtitle, text.body]).reduce(value) { value, line in
            let node = notification[line.0]
            return node.string == nil ? value : value.replacing(node.path, with: .string(line.1 ?? ""))
        }
    }
}
