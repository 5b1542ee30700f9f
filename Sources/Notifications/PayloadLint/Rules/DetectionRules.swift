import Base
import NotificationModel
import NotificationProcessor

enum DetectionRules {
    static let all = [nobodys, empty, misspeltAPS, innerPush]

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
        return LintRule.findings(of: PayloadProblem.nothingShown, in: subject)
    }

    private static let innerPush = LintRule.found(
        "inner-push", .warning,
        "A push of a known provider is below another key of a payload that has texts or media of its own. The inner push is not read.",
        source: "docs/use/dialects.md says how each dialect recognises its payloads.")

    private static let misspeltAPS = LintRule(
        "misspelt-aps", .error, "A key is probably a misspelt `aps`. The values below this key have no effect.",
        source:
            "Source: Apple, \"Generating a remote notification\". The name of the dictionary is `aps`, in lower case."
    ) { subject in
        MisspeltAPS.keys(of: subject.payload.object ?? JSONObject()).map { key in
            RuleFinding(
                subject.payload[key], "\(VisibleText.quoted(key)) is not read; did you mean aps (apns)?",
                fix: "Rename it to aps")
        }
    }
}

/// The rules for keys and values that a dialect would read if they had another name, position or type.
enum UnreadKeyRules {
    static let all = [key, type]

    private static let page = "docs/use/dialects.md lists the keys that each dialect reads."

    private static let key = LintRule(
        "unread-key", .warning,
        "A key is probably misspelt, or is one level too high or too low. The key is not read, so its text or media item is lost.",
        source: page, precedence: .general
    ) { subject in
        // For a payload without a dialect, the rule `unknown-payload` gives the same advice.
        guard subject.reading.dialect != nil else { return [] }
        // A problem that the dialect has found at a position also explains the keys inside the value there.
        let explained = subject.reading.problems.map(\.place.steps).filter { !$0.isEmpty }
        return subject.repairs.filter { repair in !explained.contains { repair.place.steps.starts(with: $0) } }
            .map { finding($0, in: subject) }
    }

    static func finding(_ repair: KeyRepair, in subject: LintSubject) -> RuleFinding {
        let place = JSONPath(subject.payload.path.steps + repair.place.steps)
        let key = VisibleText.quoted(place.lastKey)
        switch repair.change {
        case .rename(let name):
            return RuleFinding(
                place, "\(key) is not read; did you mean \(VisibleText.quoted(name)) (\(repair.reader))?",
                fix: "Rename it to \(name)")
        case .move(let target):
            let parent = repair.place.parent ?? .root
            return RuleFinding(
                place,
                "\(key) is not read in \(parent.objectName); \(repair.reader) reads it in \(target.objectName)",
                fix: "Move it to \(target.objectName)")
        }
    }

    private static let type = LintRule(
        "unread-type", .warning, "A value does not have the type that the dialect expects. The value is left out.",
        source: page,
        precedence: .general
    ) { subject in
        guard subject.reading.dialect != nil else { return [] }
        let explained = subject.reading.problems.map(\.place)
        return subject.mistypedValues.filter { !explained.contains($0.node.path) }.map { mistyped in
            let place = JSONPath(subject.payload.path.steps + mistyped.node.path.steps)
            let type = mistyped.node.value?.typeName ?? "nothing"
            let what = "\(VisibleText.quoted(place.lastKey)) is \(type)"
            switch mistyped.mistake {
            case .type(let kinds):
                let names = kinds.map(\.label).joined(separator: " or ")
                return RuleFinding(place, "\(what), but \(mistyped.reader) reads \(names) there", fix: "Write \(names)")
            case .wrapped:
                return RuleFinding(
                    place, "\(what) around the value that \(mistyped.reader) reads",
                    fix: "Write the value without \(type) around it")
            }
        }
    }
}
