import Base
import NotificationModel

/// The rules for keys that are not Apple's, and for Apple's keys in positions where they have no effect.
enum KeyRules {
    static let all = [misspelt, misplaced, maybeMisplaced, unknown]

    /// The maximum number of keys of one object that are compared. The limit bounds the time.
    private static let maxKeys = 64

    private struct UnknownKey {
        enum Belonging: Equatable {
            case nearly(String)
            case elsewhere(String)
            case nowhere
        }

        let node: JSONNode
        let key: String
        /// The name of the dictionary that contains the key.
        let place: String
        let belonging: Belonging
    }

    private static let misspelt = LintRule.each(
        unknownKeys, "misspelt-key", .error,
        "A key of `aps`, of its alert or of its sound is probably a misspelling of one of Apple's keys.",
        source: "Source: Apple, payload key reference. The system ignores unknown keys without an error message."
    ) { unknownKey, _ in
        guard case .nearly(let known) = unknownKey.belonging else { return nil }
        return RuleFinding(
            unknownKey.node,
            "\(VisibleText.quoted(unknownKey.key)) is not a key of \(unknownKey.place); did you mean \(known)?",
            fix: "Rename it to \(known)")
    }

    private static let misplaced = LintRule(
        "misplaced-key", .error, "One of Apple's keys is in the wrong object, where it has no effect.",
        source: "Apple's payload key reference lists the keys of `aps`, of its `alert` and of its `sound`."
    ) { subject in
        let inside: [RuleFinding] = unknownKeys(subject).compactMap { unknownKey in
            guard case .elsewhere(let place) = unknownKey.belonging else { return nil }
            return RuleFinding(
                unknownKey.node, "\(unknownKey.key) has no effect in \(unknownKey.place)", fix: "Move it to \(place)")
        }
        return inside + outside(subject, APSVocabulary.unmistakable)
    }

    private static let maybeMisplaced = LintRule(
        "maybe-misplaced-key", .warning,
        "`alert`, `badge`, `sound` or `category` is beside `aps` instead of in `aps`.",
        source: "A key beside `aps` counts as a custom key of the sender, and the system ignores it."
    ) { subject in
        outside(subject, ["alert", "badge", "sound", "category"])
    }

    private static let unknown = LintRule.each(
        unknownKeys, "unknown-key", .warning,
        "A key of `aps`, of its alert or of its sound is not one of Apple's keys.",
        source: "Apple's payload key reference says that custom keys belong beside `aps`.", precedence: .last
    ) { unknownKey, _ in
        guard unknownKey.belonging == .nowhere else { return nil }
        return RuleFinding(
            unknownKey.node,
            "\(VisibleText.quoted(unknownKey.key)) is not a key of \(unknownKey.place), and is ignored",
            fix: "Remove it, or move it beside aps, where the app can read it")
    }

    /// Returns findings for Apple's keys that are beside `aps` and missing in `aps`.
    private static func outside(_ subject: LintSubject, _ keys: [String]) -> [RuleFinding] {
        // These dialects have keys of the same names at the top level.
        guard !["native", "webpush"].contains(subject.reading.dialect?.description),
            let push = subject.pushes.first(where: { $0.place == .top }), push.aps.object != nil
        else { return [] }
        return keys.filter { !push.aps[$0].exists }.compactMap { known in
            if subject.payload[known].exists {
                // The dialect of the payload reads the key there.
                if subject.readPlaces.contains(subject.payload[known].path) { return nil }
                return RuleFinding(subject.payload[known], "\(known) has no effect beside aps", fix: "Move it into aps")
            }
            // The key may be spelt differently, such as mutableContent or mutable_content.
            let bare = KeyGuess.bare(known)
            let written = subject.payload.object?.keys.prefix(maxKeys).first { KeyGuess.bare($0) == bare }
            guard known.contains("-"), let written else { return nil }
            return RuleFinding(
                subject.payload[written],
                "\(VisibleText.quoted(written)) has no effect beside aps; did you mean \(known)?",
                fix: "Move it into aps, and rename it to \(known)")
        }
    }

    private static func unknownKeys(_ subject: LintSubject) -> [UnknownKey] {
        let found = allUnknownKeys(subject)
        guard subject.isBareFCMMessage else { return found }
        // Firebase's Admin SDK for Node accepts Apple's keys in camel case.
        let known = APSVocabulary.apsKeys + APSVocabulary.alertKeys
        let spelled = Set(known.map { $0.filter { $0 != "-" }.lowercased() })
        return found.filter { $0.key.contains("-") || !spelled.contains($0.key.lowercased()) }
    }

    private static func allUnknownKeys(_ subject: LintSubject) -> [UnknownKey] {
        subject.pushes.flatMap { push in
            let (aps, alert, sound) = (push.aps, push.aps["alert"], push.aps["sound"])
            // The alert of a Live Activity can contain a sound.
            let alertKeys = APSVocabulary.alertKeys + (push.isLiveActivity ? ["sound"] : [])
            let (apsKeys, soundKeys) = (APSVocabulary.apsKeys, APSVocabulary.soundKeys)
            return unknownKeys(in: aps, "aps", apsKeys, others: [("aps.alert", alertKeys), ("aps.sound", soundKeys)])
                + unknownKeys(in: alert, "alert", alertKeys, others: [("aps", apsKeys), ("aps.sound", soundKeys)])
                + unknownKeys(in: sound, "sound", soundKeys, others: [("aps", apsKeys), ("aps.alert", alertKeys)])
        }
    }

    private static func unknownKeys(
        in node: JSONNode, _ place: String, _ known: [String], others: [(place: String, keys: [String])]
    ) -> [UnknownKey] {
        var seen = Set(known)
        return (node.object?.keys.prefix(maxKeys) ?? []).filter { seen.insert($0).inserted }.map { key in
            let belonging: UnknownKey.Belonging =
                if let other = others.first(where: { $0.keys.contains(key) }) {
                    .elsewhere(other.place)
                } else if let near = KeyGuess.nearest(to: key, among: known) {
                    .nearly(near)
                } else {
                    .nowhere
                }
            return UnknownKey(node: node[key], key: key, place: place, belonging: belonging)
        }
    }
}
