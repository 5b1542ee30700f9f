import FoundationEssentials
import JSON
import NotificationModel
import NotificationProcessor

/// The envelope around a payload, and what was meant to be one.
enum EnvelopeRules {
    static let all = [unknownKey, payloadType, value, fallbackKey, withoutEffect]

    private static let unknownKey = LintRule(
        "envelope-unknown-key", .error,
        "An object with a `payload` was meant as an envelope, and has a key that is none of an envelope's; it would be rejected.",
        source: "docs/envelope.md: an envelope has otherwise only the envelope's keys."
    ) { subject in
        subject.envelopeStrangers.map { key, guess in
            LintFlaw(
                subject.object[key],
                "\(VisibleText.quoted(key)) is no key of an envelope, and \(subject.isRecognisedAsWhole ? "so the whole object is a bare payload" : "no dialect recognises the object as a payload")"
                    + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: guess.map { "Rename it to \($0)" } ?? "Take it out, or put it into payload")
        }
    }

    private static let payloadType = LintRule(
        "envelope-payload", .error, "The `payload` of what looks like an envelope is no object.",
        source: "docs/envelope.md: an envelope has an object `payload`."
    ) { subject in
        let payload = subject.object["payload"]
        guard let value = payload.value, value.object == nil, let keys = subject.object.object?.keys, keys.count > 1,
            keys.allSatisfy(EnvelopeKeys.all.contains)
        else { return [] }
        return [
            LintFlaw(
                payload, "payload is \(value.typeName), and so this is no envelope",
                fix: value.string == nil
                    ? "Write the provider's object there" : "Write the object itself, not a string of it")
        ]
    }

    /// More than the keys there are cannot be wrong.
    private static let mostTries = EnvelopeKeys.all.count

    private static let value = LintRule(
        "envelope-value", .error, "A value of the envelope is not what its key takes; the request would be rejected.",
        source: "docs/envelope.md."
    ) { subject in
        guard subject.isEnvelope, var envelope = subject.object.object else { return [] }
        // With them it would be none.
        let strangers = Set(subject.envelopeStrangers.map(\.key))
        envelope = JSONObject(members: envelope.members.filter { !strangers.contains($0.key) })
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: subject.dialects)
        var flaws: [LintFlaw] = []
        // The reader tells the first thing that is wrong; without it, it tells the next.
        for _ in 0..<mostTries {
            let arrival = Arrival(instant: .now, date: subject.date)
            guard let error = reader.request(from: Submission(object: envelope, arrival: arrival)).error else { break }
            let steps = error.key.split(separator: ".", maxSplits: 1).map { JSONPath.Step.key(String($0)) }
            flaws.append(
                LintFlaw(
                    JSONPath(subject.object.path.steps + steps),
                    VisibleText.short("\(error.key) \(error.problem)", most: 240),
                    fix: "Write \(VisibleText.short(error.key, most: 48)) as docs/envelope.md says, or leave it out"))
            guard let first = error.key.split(separator: ".").first.map(String.init), envelope[first] != nil else {
                break
            }
            envelope = JSONObject(members: envelope.members.filter { $0.key != first })
        }
        return flaws
    }

    private static let fallbackKey = LintRule(
        "envelope-fallback-key", .warning, "A key of the envelope's `fallback` is no line of a text: it has no effect.",
        source: "docs/envelope.md, `fallback`."
    ) { subject in
        guard subject.isEnvelope else { return [] }
        let lines = ["title", "subtitle", "body"]
        return subject.object["fallback"].members.prefix(16).filter { !lines.contains($0.key) }.map { key, node in
            let guess = KeyGuess.nearest(to: key, among: lines)
            return LintFlaw(
                node,
                "\(VisibleText.quoted(key)) is no line of the fallback text"
                    + (guess.map { "; did you mean \($0)?" } ?? ""),
                fix: guess.map { "Rename it to \($0)" } ?? "Write title, subtitle or body")
        }
    }

    private static let withoutEffect = LintRule(
        "envelope-without-effect", .warning, "A key of the envelope is read and has no effect.",
        source: "docs/envelope.md. The result's `problem` says the same."
    ) { subject in
        guard subject.isEnvelope else { return [] }
        return EnvelopeKeys.withoutEffect.filter { subject.object[$0].exists && subject.object[$0].value != .null }.map
        { key in
            LintFlaw(subject.object[key], "\(key) has no effect", fix: "Leave it out")
        }
    }
}
