import JSON
import NotificationModel
import NotificationProcessor

/// The rules about the recognition of a payload's dialect.
enum DetectionRules {
    static let all = [nobodys, empty, misspeltAPS]

    private static let nobodys = LintRule.found(
        PayloadProblem.unknownPayload, .error,
        "No dialect recognises the payload. The payload would pass through without changes.",
        source: "docs/use/dialects.md says how each dialect recognises its payloads.", precedence: .general)

    private static let empty = LintRule(
        PayloadProblem.nothingShown, .warning,
        "A dialect recognises the payload, but finds no text and no media item in it. Receivers see nothing.",
        source: "docs/use/dialects.md lists the keys that each dialect reads.", precedence: .last
    ) { subject in
        // The rules for `aps` and its alert report the reason more precisely.
        guard (subject.payload["aps"].value ?? .null) == .null,
            MisspeltAPS.keys(of: subject.payload.object ?? [:]).isEmpty
        else { return [] }
        return LintRule.flaws(of: PayloadProblem.nothingShown, in: subject)
    }

    private static let misspeltAPS = LintRule(
        "misspelt-aps", .error, "A key is probably a misspelt `aps`. The values below this key have no effect.",
        source:
            "Source: Apple, \"Generating a remote notification\". The name of the dictionary is `aps`, in lower case."
    ) { subject in
        MisspeltAPS.keys(of: subject.payload.object ?? JSONObject()).map { key in
            LintFlaw(
                subject.payload[key], "\(VisibleText.quoted(key)) is not read; did you mean aps (apns)?",
                fix: "Rename it to aps")
        }
    }
}
