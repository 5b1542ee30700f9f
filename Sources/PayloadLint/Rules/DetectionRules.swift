import JSON
import NotificationModel
import NotificationProcessor

/// Whose payload it is, and what nearly says so.
enum DetectionRules {
    static let all = [nobodys, empty, misspeltAPS]

    /// Looking further costs time and says nothing more.
    private static let mostKeys = 64

    private static let nobodys = LintRule(
        PayloadProblem.unknownPayload, .error,
        "No dialect recognises the payload. The payload would pass through without changes.",
        source: "docs/dialects.md says how each dialect recognises its payloads."
    ) { subject in
        guard !subject.isTooLong, subject.reading.dialect == nil else { return [] }
        // Told with more to say.
        guard misspeltAPSKeys(subject).isEmpty else { return [] }
        let flaws = LintRule.flaws(of: PayloadProblem.unknownPayload, in: subject)
        // A flaw at a value says what is wrong with it.
        guard let repair = subject.repairs.first, flaws.allSatisfy({ $0.path == subject.payload.path }) else {
            return flaws.isEmpty
                ? [
                    LintFlaw(
                        subject.payload, "no dialect recognises the payload",
                        fix: "Put the texts for iPhones into aps, or name the format with --dialect")
                ] : flaws
        }
        let flaw = UnreadKeyRules.flaw(repair, in: subject)
        return [LintFlaw(flaw.path, "no dialect recognises the payload; \(flaw.message)", fix: flaw.fix)]
    }

    private static let empty = LintRule(
        PayloadProblem.nothingShown, .warning,
        "A dialect recognises the payload, but finds no text and no media item in it. Receivers see nothing.",
        source: "docs/dialects.md lists the keys that each dialect reads.", precedence: .last
    ) { subject in
        // Rules of the alert say what is wrong with it.
        guard subject.payload["aps"].object == nil else { return [] }
        return LintRule.flaws(of: PayloadProblem.nothingShown, in: subject)
    }

    private static let misspeltAPS = LintRule(
        "misspelt-aps", .error, "A key is probably a misspelt `aps`. The values below this key have no effect.",
        source:
            "Source: Apple, \"Generating a remote notification\". The name of the dictionary is `aps`, in lower case."
    ) { subject in
        misspeltAPSKeys(subject).map { key in
            LintFlaw(
                subject.payload[key], "\(VisibleText.quoted(key)) is not aps, so it is not read",
                fix: "Rename it to aps")
        }
    }

    private static func misspeltAPSKeys(_ subject: LintSubject) -> [String] {
        guard let members = subject.payload.object?.members else { return [] }
        return members.prefix(mostKeys).filter { member in
            let (key, bare) = (member.key, KeyGuess.bare(member.key))
            guard key != "aps" else { return false }
            if bare == "aps" { return true }
            let isNear = bare.sorted() == ["a", "p", "s"] || NearestWord.distance(String(bare.prefix(8)), "aps") == 1
            guard isNear, let object = member.value.object else { return false }
            return ["alert", "mutable-content", "content-available", "badge", "sound"].contains { object[$0] != nil }
        }.map(\.key)
    }
}
