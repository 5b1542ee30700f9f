import JSON
import NotificationModel
import NotificationProcessor

/// 2mee.
enum TwoMeeRules {
    static let all = [fallback, timeMissing, identifier] + found

    private static let fallback = LintRule(
        "2mee-fallback", .warning, "An alert has no `fbText`: without its media it shows the text that speaks of them.",
        source: "docs/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject), !subject.reading.isSilent, !subject.media.isEmpty,
            message.node["fbText"].text == nil
        else { return [] }
        return [
            LintFlaw(
                message["fbText"].exists ? message["fbText"] : message.node, "there is no fallback text",
                fix: "Add fbTitle and fbText, to be shown when the media do not come")
        ]
    }

    private static let timeMissing = LintRule(
        "2mee-time-missing", .warning, "`playTime` and `expiry` are not both there: the message never expires.",
        source: "docs/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject) else { return [] }
        let missing = ["playTime", "expiry"].filter { (message[$0].value ?? .null) == .null }
        guard !missing.isEmpty else { return [] }
        return [
            LintFlaw(
                message.node, "without \(missing.joined(separator: " and ")) the message never expires",
                fix: "Add \(missing.joined(separator: " and "))")
        ]
    }

    private static let identifier = LintRule(
        "2mee-id-missing", .warning, "The message has no `id`: what a prefetch fetched is not found again by it.",
        source: "docs/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject), message["id"].identifier == nil else { return [] }
        return [LintFlaw(message.node, "the message has no id", fix: "Add the vendor's id of the message")]
    }

    private static let page = "docs/dialects.md, `2mee`."

    private static let found = [
        LintRule.found(
            "2mee-time", .error,
            "`playTime` or `expiry` is no number from 0, or `playTime` is in seconds: the message never expires, or has already.",
            source: "docs/dialects.md, `2mee`: milliseconds since 1970, and minutes after them."),
        LintRule.found("2mee-text", .error, "A text of `appear2mee` is no string: it is left out.", source: page),
        LintRule.found(
            "2mee-key", .error, "A key of `appear2mee` is nearly one that is read: it does nothing.", source: page),
        LintRule.found(
            "2mee-stage", .error, "The `stage` is neither `prefetch` nor `alert`: it counts as none.",
            source: page),
        LintRule.found(
            "2mee-kind", .error,
            "The `kind` is none of 2mee's: the message gets the sound of all but faces, and no file is known to be the message.",
            source: page),
        LintRule.found(
            "2mee-prefetch-alert", .error,
            "The `stage` is `prefetch` beside a visible alert: the push is not silent, and receivers see it twice.",
            source: page),
        LintRule.found("2mee-urls", .error, "`urls` is no array of strings: media are left out.", source: page),
        LintRule.found(
            "2mee-message-missing", .error,
            "A face, image, animation or video names no file: the fallback text is shown.", source: page),
        LintRule.found(
            "2mee-unreadable", .error,
            "`appear2mee` is neither an object nor a text that holds one: nothing of the message is read.", source: page
        ),
        LintRule.found(
            "2mee-unrecognised", .warning,
            "Keys of 2mee's are there, and too few of them: the payload is not read as 2mee's.", source: page),
        LintRule.found(
            "2mee-text-missing", .error,
            "A push that is to be shown has no text: the fallback text is shown, or nothing.", source: page),
        LintRule.found(
            "2mee-keys", .warning, "`keys` or `about` has no pairs of a key and a value: they are left out.",
            source: page),
        LintRule.found(
            "2mee-presentation", .warning,
            "`presentation` has an unknown member, or a value that is not allowed: the app's own counts.",
            source: page),
    ]

    /// The part of the payload that is 2mee's.
    private static func message(_ subject: LintSubject) -> TwoMeePlace? {
        guard subject.isRead(as: "2mee") else { return nil }
        let place = TwoMeePlace(subject.payload)
        return place.node.object == nil ? nil : place
    }
}
