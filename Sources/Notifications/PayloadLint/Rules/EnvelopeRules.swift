import Base
import FoundationEssentials
import NotificationModel
import NotificationProcessor

/// The rules for the envelope around a payload, and for objects that were meant as envelopes.
enum EnvelopeRules {
    static let all = [unknownKey, payloadType, value, fallbackKey, withoutEffect]

    private static let unknownKey = LintRule(
        "envelope-unknown-key", .error,
        "An object with a `payload` is probably an envelope, but has a key that envelopes do not have. The object is not read as an envelope.",
        source: "docs/use/envelope.md lists the keys of an envelope. No other key is accepted."
    ) { subject in
        subject.unknownEnvelopeKeys.map { key, guess in
            RuleFinding(
                subject.object[key],
                "\(VisibleText.quoted(key)) is not a key of an envelope, and \(subject.isRecognisedAsWhole ? "so the whole object counts as a payload" : "the object is refused")"
                    + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: guess.map { "Rename it to \($0)" } ?? "Remove it, or move it into payload")
        }
    }

    private static let payloadType = LintRule.single(
        "envelope-payload", .error, "The object looks like an envelope, but its `payload` is not an object.",
        source: "docs/use/envelope.md: the `payload` of an envelope is an object."
    ) { subject in
        let payload = subject.object["payload"]
        guard let value = payload.value, value.object == nil, let keys = subject.object.object?.keys, keys.count > 1,
            keys.allSatisfy(EnvelopeKeys.all.contains)
        else { return nil }
        return RuleFinding(
            payload, "payload is \(value.typeName), so this is not an envelope",
            fix: value.string == nil
                ? "Write the provider's object as payload" : "Write the object itself, not the object as a string")
    }

    /// The maximum number of values that are reported. There cannot be more wrong values than known keys.
    private static let maxTries = EnvelopeKeys.all.count

    private static let value = LintRule(
        "envelope-value", .error,
        "A value in the envelope has a wrong type or is out of range. The request would be rejected.",
        source: "docs/use/envelope.md lists the permitted values of each key."
    ) { subject in
        guard subject.isEnvelope, var envelope = subject.object.object else { return [] }
        // With an unknown key, the reader would not read the object as an envelope.
        let unknownKeys = Set(subject.unknownEnvelopeKeys.map(\.key))
        envelope = JSONObject(members: envelope.members.filter { !unknownKeys.contains($0.key) })
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: subject.linter.dialects)
        var findings: [RuleFinding] = []
        // The reader reports only the first wrong value. After its removal, the reader reports the next one.
        for _ in 0..<maxTries {
            let arrival = ClockReading(instant: .now, date: subject.linter.date)
            guard let error = reader.request(from: Submission(object: envelope, arrival: arrival)).error else { break }
            let steps = error.key.split(separator: ".", maxSplits: 1).map { JSONPath.Step.key(String($0)) }
            findings.append(
                RuleFinding(
                    JSONPath(subject.object.path.steps + steps),
                    VisibleText.short("\(error.key) \(error.problem)", most: 240),
                    fix: "Write \(VisibleText.short(error.key, most: 48)) as docs/use/envelope.md says, or leave it out"
                ))
            guard let first = error.key.split(separator: ".").first.map(String.init), envelope[first] != nil else {
                break
            }
            envelope = JSONObject(members: envelope.members.filter { $0.key != first })
        }
        return findings
    }

    private static let fallbackKey = LintRule(
        "envelope-fallback-key", .warning, "A key of the envelope's `fallback` is unknown and has no effect.",
        source: "docs/use/envelope.md: the keys of `fallback` are `title`, `subtitle` and `body`."
    ) { subject in
        guard subject.isEnvelope else { return [] }
        let lines = ["title", "subtitle", "body"]
        return subject.object["fallback"].members.prefix(16).filter { !lines.contains($0.key) }.map { key, node in
            let guess = KeyGuess.nearest(to: key, among: lines)
            return RuleFinding(
                node,
                "\(VisibleText.quoted(key)) is not a line of the fallback text"
                    + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: guess.map { "Rename it to \($0)" } ?? "Write title, subtitle or body")
        }
    }

    private static let withoutEffect = LintRule(
        "envelope-without-effect", .warning, "A key of the envelope is accepted, but has no effect yet.",
        source: "See docs/use/envelope.md. The `problem` of the result names the key too."
    ) { subject in
        guard subject.isEnvelope else { return [] }
        return EnvelopeKeys.withoutEffect.filter { subject.object[$0].exists && subject.object[$0].value != .null }.map
        { key in
            RuleFinding(subject.object[key], "\(key) has no effect yet", fix: "Remove it")
        }
    }
}
