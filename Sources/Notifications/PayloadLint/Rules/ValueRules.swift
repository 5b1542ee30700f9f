import Base
import NotificationModel

/// The rules for values of `aps` that Apple's phones ignore, or do not interpret as the sender probably intends.
enum ValueRules {
    static let all = [
        wrongType, flag, badge, interruptionLevel, relevanceScore, volume, soundName, criticalSound, arguments,
        argumentsWithoutKey, keyWithoutArguments,
    ]

    private static let page = "Source: Apple, \"Generating a remote notification\", payload key reference."

    private static let wrongType = LintRule(
        "wrong-type", .error,
        "A value of `aps`, of its alert or of its sound does not have the type that Apple requires.",
        source: page
    ) { subject in
        subject.pushes.flatMap { push in
            guard push.aps.object != nil else {
                guard push.aps.embedded.object != nil else { return findings(push.aps, "aps", .object) }
                return [
                    RuleFinding(
                        push.aps, "aps is a string of JSON, not an object",
                        fix: "Write the object itself, without quotes")
                ]
            }
            return findings(of: push.aps, APSVocabulary.aps, push)
                + findings(of: push.aps["alert"], APSVocabulary.alert, push)
                + findings(of: push.aps["sound"], APSVocabulary.sound, push)
        }
    }

    private static func findings(
        of node: JSONNode, _ vocabulary: [String: APSVocabulary.Shape], _ push: ApplePush
    ) -> [RuleFinding] {
        guard node.object != nil else { return [] }
        return vocabulary.keys.sorted().flatMap { key in
            // The title, the subtitle and the body of a Live Activity's alert may be dictionaries with a `loc-key`.
            let isLine = push.isLiveActivity && ["title", "body", "subtitle"].contains(key)
            return findings(node[key], key, isLine ? .textOrObject : vocabulary[key] ?? .own)
        }
    }

    private static func findings(_ node: JSONNode, _ key: String, _ shape: APSVocabulary.Shape) -> [RuleFinding] {
        guard let value = node.value, value != .null else { return [] }
        let (isRight, expected) =
            switch shape {
            case .text: (value.string != nil, "a string")
            case .number: (value.double != nil, "a number")
            case .object: (value.object != nil, "an object")
            case .textOrObject: (value.string != nil || value.object != nil, "a string or an object")
            case .texts: (value.array?.allSatisfy { $0.string != nil } == true, "an array of strings")
            case .own: (true, "")
            }
        if isRight { return [] }
        return [RuleFinding(node, "\(key) is \(value.typeName), not \(expected)", fix: "Write \(expected)")]
    }

    private static let flag = LintRule.each(
        flags(of:), "flag-not-1", .error,
        "The value of `mutable-content`, `content-available` or `critical` is not 1, 0, `false` or `null`.",
        source: page
    ) { node, _ in
        guard let value = node.value, ![.null, false].contains(value), value.integer != 1, value.integer != 0 else {
            return nil
        }
        let key = node.path.lastKey
        return RuleFinding(node, "\(key) is \(shown(value)), not the number 1", fix: "Write \"\(key)\": 1")
    }

    private static func flags(of subject: LintSubject) -> [JSONNode] {
        subject.pushes.map(\.aps).flatMap { [$0["mutable-content"], $0["content-available"], $0["sound"]["critical"]] }
    }

    private static let badge = LintRule.each(
        \.pushes, "badge", .error, "The badge is not a whole number of 0 or more.",
        source: page + " 0 removes the badge."
    ) { push, _ in
        let node = push.aps["badge"]
        guard let value = node.value, value != .null, (value.integer ?? -1) < 0 else { return nil }
        return RuleFinding(
            node, "badge is \(shown(value)), not a whole number of 0 or more",
            fix: "Write a number without quotes, such as 3")
    }

    private static let interruptionLevel = LintRule.each(
        \.pushes, "interruption-level", .error,
        "The interruption level is not one of Apple's four levels.", source: page
    ) { push, _ in
        let (node, known) = (push.aps["interruption-level"], InterruptionLevel.allCases.map(\.rawValue))
        guard let value = node.value, value != .null, !known.contains(value.string ?? "") else { return nil }
        let guess = value.string.flatMap { KeyGuess.nearest(to: $0, among: known) }
        return RuleFinding(
            node, "\(shown(value)) is not an interruption level" + (guess.map { "; did you mean \($0)?" } ?? ""),
            fix: guess.map { "Write \"\($0)\"" } ?? "Write one of: \(known.joined(separator: ", "))")
    }

    private static let relevanceScore = LintRule.each(
        \.pushes, "relevance-score", .error,
        "The relevance score is not a number from 0 to 1. For a Live Activity, any number is permitted.",
        source: page
    ) { push, _ in
        let node = push.aps["relevance-score"]
        guard let value = node.value, value != .null else { return nil }
        if let score = value.double, push.isLiveActivity || (0...1).contains(score) { return nil }
        return RuleFinding(
            node, "relevance-score is \(shown(value)), not a number" + (push.isLiveActivity ? "" : " from 0 to 1"),
            fix: push.isLiveActivity ? "Write a number" : "Write a number from 0 to 1, such as 0.5")
    }

    private static let volume = LintRule.each(
        \.pushes, "sound-volume", .error,
        "The volume of a sound is not a number from 0 to 1.", source: page
    ) { push, _ in
        let node = push.aps["sound"]["volume"]
        guard let value = node.value, value != .null else { return nil }
        if let volume = value.double, (0...1).contains(volume) { return nil }
        return RuleFinding(
            node, "volume is \(shown(value)), not a number from 0 to 1",
            fix: "Write a number from 0 to 1, such as 0.8")
    }

    private static let soundName = LintRule(
        "sound-name", .warning, "A `sound` object has no `name`.", source: page
    ) { subject in
        subject.pushes.map { $0.aps["sound"] }.filter { $0.object != nil && ($0["name"].value ?? .null) == .null }.map {
            RuleFinding($0, "the sound has no name", fix: "Add \"name\": \"default\", or the name of a file in the app")
        }
    }

    private static let criticalSound = LintRule.each(
        \.pushes, "critical-sound", .note, "The sound is critical, but the interruption level is not `critical`.",
        source: page
            + " A critical sound plays even if the phone is muted, but without the level `critical` the notification is displayed like any other notification."
    ) { push, _ in
        guard push.aps["sound"]["critical"].isSet, push.aps["interruption-level"].string != "critical" else {
            return nil
        }
        return RuleFinding(
            push.aps["sound"]["critical"], "the sound is critical, but the interruption level is not",
            fix: "Add \"interruption-level\": \"critical\" if the app is permitted to send critical alerts")
    }

    // MARK: Localized texts

    private static let prefixes = ["title-", "subtitle-", ""]

    private static let arguments = LintRule.each(
        lines, "loc-args", .error, "The arguments of a localized text (`loc-args`) are not an array of strings.",
        source: page
    ) { line, _ in
        let (alert, prefix) = line
        let node = alert["\(prefix)loc-args"]
        guard let value = node.value, value != .null else { return nil }
        guard let elements = value.array else {
            return RuleFinding(
                node, "\(prefix)loc-args is \(value.typeName), not an array of strings", fix: "Put it into an array"
            )
        }
        guard let wrong = elements.firstIndex(where: { $0.string == nil }) else { return nil }
        return RuleFinding(
            node[wrong], "an argument is \(elements[wrong].typeName), not a string", fix: "Write it in quotes")
    }

    private static let argumentsWithoutKey = LintRule.each(
        lines, "loc-args-without-key", .error,
        "The alert has arguments for a localized text, but no `loc-key` that uses these arguments.",
        source: page
    ) { line, _ in
        let (alert, prefix) = line
        let node = alert["\(prefix)loc-args"]
        guard node.array?.isEmpty == false, alert["\(prefix)loc-key"].text == nil else { return nil }
        return RuleFinding(
            node, "there is \(prefix)loc-args, but no \(prefix)loc-key",
            fix: "Add \(prefix)loc-key with the key of a string in the app")
    }

    private static let keyWithoutArguments = LintRule.each(
        lines, "loc-key-without-args", .note, "The alert has a `loc-key` without arguments.",
        source: "This is correct if the string in the app has no placeholders. Otherwise receivers would see `%@`."
    ) { line, _ in
        let (alert, prefix) = line
        let node = alert["\(prefix)loc-key"]
        guard node.text != nil, !alert["\(prefix)loc-args"].exists else { return nil }
        return RuleFinding(
            node, "there is \(prefix)loc-key, but no \(prefix)loc-args",
            fix: "Add \(prefix)loc-args if the string in the app has placeholders")
    }

    private static func lines(_ subject: LintSubject) -> [(alert: JSONNode, prefix: String)] {
        subject.pushes.flatMap { push in prefixes.map { (push.aps["alert"], $0) } }
    }

    private static func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): VisibleText.quoted(text)
        case .number(let number): String(number.literal.prefix(32))
        case .bool(let bool): "\(bool)"
        default: value.typeName
        }
    }
}

extension JSONPath {
    /// The key of the last step of the path. It is empty if the last step is not a key.
    var lastKey: String {
        if case .key(let key)? = steps.last { key } else { "" }
    }
}
