import Base
import NotificationModel

/// The rules for messages that a server sends to Firebase Cloud Messaging.
enum FCMRules {
    static let all = [dataValue, dataJSON, reservedKey, target, optionsPlace, unknownKey]

    private static let page = "Source: Firebase, REST reference of `projects.messages`."

    private static let dataValue = LintRule(
        "fcm-data-value", .error, "A value of `data` is not a string. FCM refuses the message.", source: page
    ) { subject in
        data(subject).flatMap { data in
            if let value = data.value, value != .null, value.object == nil {
                return [
                    RuleFinding(data, "data is \(value.typeName), not an object of strings", fix: "Write an object")
                ]
            }
            return (data.object?.members ?? []).filter { $0.value.string == nil }.prefix(PayloadLinter.maxOfOneRule)
                .map {
                    RuleFinding(
                        data[$0.key], "the value is \($0.value.typeName), not a string", fix: "Write it in quotes")
                }
        }
    }

    private static let reservedKey = LintRule(
        "fcm-reserved-key", .error, "A key of `data` has a name that FCM reserves.",
        source: page
            + " FCM reserves `from`, `message_type`, and names that begin with `google.` or `gcm.notification.`"
    ) { subject in
        data(subject).flatMap { data in
            (data.object?.keys ?? []).filter { key in
                key == "from" || key == "message_type" || key.hasPrefix("google.") || key.hasPrefix("gcm.notification.")
            }.prefix(PayloadLinter.maxOfOneRule).map {
                RuleFinding(data[$0], "\(VisibleText.quoted($0)) is a reserved name", fix: "Write another name")
            }
        }
    }

    private static let target = LintRule.single(
        "fcm-target", .error, "The message has none, or more than one, of `token`, `topic` and `condition`.",
        source: page + " A message needs exactly one of `token`, `topic` and `condition`."
    ) { subject in
        guard subject.reading.isFCMMessage else { return nil }
        let message = subject.message
        let there = ["token", "topic", "condition"].filter { message[$0].text != nil }
        // The Admin SDKs can send one message to many tokens.
        guard there.count != 1, !(subject.isBareFCMMessage && message["tokens"].array != nil) else { return nil }
        return RuleFinding(
            message,
            there.isEmpty
                ? "the message has no token, topic or condition"
                : "the message has \(there.joined(separator: " and "))",
            fix: "Write exactly one of token, topic and condition")
    }

    private static let optionsPlace = LintRule.found(
        "fcm-options-place", .warning,
        "An object `fcm_options` has an `image` in a place where FCM reads no image. An iPhone does not show this image.",
        source: page + " Only the object `fcm_options` in `apns`, beside `apns.payload`, can have an `image`.")

    private static let dataJSON = LintRule.found(
        "fcm-data-json", .error,
        "A string in the `data` of a message that must be JSON is not JSON. The values in the string are lost.",
        source:
            "The values of `data` are strings, so senders put JSON into them: `notifee` and `notifee_options` of Notifee, `content` and `actionButtons` of awesome_notifications, `custom` and `o` of OneSignal, `custom` of Optimobile, `sendbird`, `ejson` of Rocket.Chat, `_wp` of WonderPush, `_sw` of Swrve, `com.batch`, `com.urbanairship.style` and `com.urbanairship.actions` of Airship, `mp`, `mp_buttons` and `mp_ontap` of Mixpanel, `c.b` of Countly, `message` of Blueshift, `actions` and `attributes` of Bloomreach, and `actions` of ntfy."
    )

    /// The known keys of a message, and of the parts of a message that contain an image or its settings.
    private static let keys: [(part: [String], keys: [String])] = [
        (
            [],
            [
                "name", "data", "notification", "android", "webpush", "apns", "fcm_options", "token", "topic",
                "condition",
            ]
        ),
        (["notification"], ["title", "body", "image"]),
        (["apns"], ["headers", "payload", "fcm_options", "live_activity_token"]),
        (["apns", "fcm_options"], ["analytics_label", "image"]),
        (["webpush"], ["headers", "data", "notification", "fcm_options"]),
    ]

    private static let unknownKey = LintRule(
        "fcm-unknown-key", .warning,
        "A key of the message is not one of FCM's keys. FCM refuses messages with unknown keys.",
        source: page, precedence: .last
    ) { subject in
        // The Admin SDKs use other names for keys.
        guard subject.reading.isFCMMessage, !subject.isBareFCMMessage else { return [] }
        return keys.flatMap { part, known in
            let node = part.reduce(subject.message) { $0[$1] }
            var seen = Set(known)
            return (node.object?.keys.prefix(64) ?? []).filter { seen.insert($0).inserted }.map { key in
                let guess = KeyGuess.nearest(to: key, among: known)
                return RuleFinding(
                    node[key],
                    "\(VisibleText.quoted(key)) is not a key of \((["message"] + part).joined(separator: "."))"
                        + (guess.map { "; did you mean \($0)?" } ?? ""),
                    fix: guess.map { "Rename it to \($0)" }
                        ?? "Remove it. Apple's keys belong in apns.payload.aps, and the app's keys in data")
            }
        }
    }

    private static func data(_ subject: LintSubject) -> [JSONNode] {
        guard subject.reading.isFCMMessage else { return [] }
        let message = subject.message
        return [message["data"], message["android"]["data"], message["webpush"]["data"]]
    }
}
