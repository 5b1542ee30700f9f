import NotificationModel

/// Puts the texts of the processed content into the places of a payload where its receivers read them: Apple's alert, and
/// the places that the dialect's own format has.
struct ForwardedText {
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
        case "sendios" where root["message"].object == nil: value = lines(root["notification"], in: value)
        case "braze": value = alert(root["messages"]["apple_push"]["alert"], in: value)
        case "fcm", "sendios", "2mee":
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

    /// An alert that is there says these lines, and none of them by a name that the receiver would look up.
    private func alert(_ alert: JSONNode, in value: JSONValue) -> JSONValue {
        guard let old = alert.value, old != .null, !text.isEmpty else { return value }
        var new = JSONObject()
        var replaced: Set<String> = ["title", "subtitle", "body"]
        for (line, name, said) in [
            ("title", "title-loc", text.title), ("subtitle", "subtitle-loc", text.subtitle), ("body", "loc", text.body),
        ] {
            guard let said else { continue }
            new.append(line, .string(said))
            for name in ["\(name)-key", "\(name)-args"] {
                // Braze writes them with underscores.
                replaced.formUnion([name, String(name.map { $0 == "-" ? "_" : $0 })])
            }
        }
        for member in old.object?.members ?? [] where !replaced.contains(member.key) {
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
