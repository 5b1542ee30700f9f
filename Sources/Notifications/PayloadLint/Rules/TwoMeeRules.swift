import Base
import NotificationModel
import NotificationProcessor

enum TwoMeeRules {
    static let all = [fallback, timeMissing, identifier] + found

    private static let fallback = LintRule.single(
        "2mee-fallback", .warning,
        "A visible message has media, but no `fbText`. If the media fail, receivers see the text that was written for the media.",
        source: "See docs/use/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject), !subject.reading.isSilent, !subject.media.isEmpty,
            message.node["fbText"].text == nil
        else { return nil }
        return RuleFinding(
            message["fbText"].exists ? message["fbText"] : message.node, "there is no fallback text",
            fix: "Add fbTitle and fbText, which are shown if the media fail")
    }

    private static let timeMissing = LintRule.single(
        "2mee-time-missing", .warning, "`playTime` or `expiry` is missing, so the message never expires.",
        source: "See docs/use/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject) else { return nil }
        let missing = ["playTime", "expiry"].filter { (message[$0].value ?? .null) == .null }
        guard !missing.isEmpty else { return nil }
        let problem = message.lackOfTimes(missing)
        return RuleFinding(message.node, problem.text, fix: problem.fix)
    }

    private static let identifier = LintRule.single(
        "2mee-id-missing", .warning,
        "The message has no `id`, so its alert cannot use the files that its silent push has fetched.",
        source: "See docs/use/dialects.md, `2mee`."
    ) { subject in
        guard let message = message(subject), message["id"].identifier == nil else { return nil }
        return RuleFinding(message.node, "the message has no id", fix: "Add the vendor's id of the message")
    }

    private static let page = "See docs/use/dialects.md, `2mee`."

    private static let found = [
        LintRule.found(
            "2mee-time", .error,
            "`playTime` or `expiry` is not a number of 0 or more, so the message never expires. Or `playTime` is in seconds, so the message has already expired.",
            source:
                "See docs/use/dialects.md, `2mee`. `playTime` is a time in milliseconds since 1970, and `expiry` is the number of minutes after `playTime`."
        ),
        LintRule.found(
            "2mee-cancelled", .warning,
            "The `state` of a REST request is `CANCELLED`. Nothing of the message is shown.", source: page),
        LintRule.found(
            "2mee-text", .error, "A text of `appear2mee` is not a string. The text is left out.", source: page),
        LintRule.found(
            "2mee-key", .error, "A key of `appear2mee` is probably misspelt. The misspelt key has no effect.",
            source: page),
        LintRule.found(
            "2mee-stage", .error, "The `stage` is neither `prefetch` nor `alert`. The `stage` counts as missing.",
            source: page),
        LintRule.found(
            "2mee-kind", .error,
            "The `kind` is not one of 2mee's kinds. The message gets the sound of the kind `other`, and appgroupd does not know which of the files is the message.",
            source: page),
        LintRule.found(
            "2mee-prefetch-alert", .error,
            "The `stage` is `prefetch`, but there is a visible alert. The push is not silent, so receivers see the message twice.",
            source: page),
        LintRule.found(
            "2mee-urls", .error,
            "`urls` is not an array of strings, or `url` is not a string. The wrong value is left out.", source: page),
        LintRule.found(
            "2mee-message-missing", .error,
            "A message of the kind `face`, `image`, `animation` or `video` has no URL of its file. The fallback text is shown.",
            source: page),
        LintRule.found(
            "2mee-kind-file", .warning,
            "The `kind` is `video` and the file is an image, or the `kind` is `image` and the file is a video or a sound.",
            source: page),
        LintRule.found(
            "2mee-unreadable", .error,
            "`appear2mee` is neither an object nor a string that has an object as JSON. The message is not read.",
            source: page
        ),
        LintRule.found(
            "2mee-unrecognised", .warning,
            "The payload has too few keys of 2mee. The payload is not read as a message of 2mee.", source: page),
        LintRule.found(
            "2mee-text-missing", .error,
            "A visible push has no text. The fallback text is shown. Without a fallback text, nothing is shown.",
            source: page),
        LintRule.found(
            "2mee-keys", .warning,
            "`keys` or `about` is neither an object nor a list of pairs of a key and a value. The wrong value or element is left out.",
            source: page),
        LintRule.found(
            "2mee-presentation", .warning,
            "`presentation` has an unknown member or a wrong value. The value in the configuration is used instead of a wrong value.",
            source: page),
    ]

    /// Returns the part of the payload that belongs to 2mee. Returns `nil` without such a part.
    private static func message(_ subject: LintSubject) -> TwoMeePlace? {
        guard subject.isRead(as: "2mee") else { return nil }
        let place = TwoMeePlace(subject.payload)
        return place.node.object == nil ? nil : place
    }
}
