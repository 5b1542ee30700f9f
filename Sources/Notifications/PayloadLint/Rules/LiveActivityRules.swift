import Base
import NotificationModel

/// The rules for pushes that start, update or end a Live Activity.
enum LiveActivityRules {
    static let all = [incomplete, event, media]

    private static let page =
        "Source: Apple, \"Starting and updating Live Activities with ActivityKit push notifications\"."

    private static let incomplete = LintRule.each(
        \.pushes, "live-activity-incomplete", .error,
        "A push for a Live Activity lacks `timestamp` or `event`, or a start or an update lacks `content-state`. A start also needs `attributes-type` and `attributes`.",
        source: page
    ) { push, _ in
        guard push.isLiveActivity else { return nil }
        var needed = ["timestamp", "event"]
        switch push.aps["event"].string {
        case "start": needed += ["content-state", "attributes-type", "attributes"]
        case "end": break
        default: needed.append("content-state")
        }
        let missing = needed.filter { (push.aps[$0].value ?? .null) == .null }
        guard !missing.isEmpty else { return nil }
        return RuleFinding(
            push.aps, "the push for a Live Activity lacks \(missing.joined(separator: ", "))",
            fix: "Add \(missing.joined(separator: ", ")) to aps")
    }

    private static let event = LintRule.each(
        \.pushes, "live-activity-event", .error,
        "The event of a Live Activity is not `start`, `update` or `end`.",
        source: page
    ) { push, _ in
        let (node, known) = (push.aps["event"], ["start", "update", "end"])
        guard let text = node.string, !known.contains(text) else { return nil }
        let guess = KeyGuess.nearest(to: text, among: known)
        return RuleFinding(
            node, "\(VisibleText.quoted(text)) is not an event" + (guess.map { "; did you mean \($0)?" } ?? ""),
            fix: "Write one of: \(known.joined(separator: ", "))")
    }

    private static let media = LintRule.single(
        "live-activity-media", .warning, "A push for a Live Activity has media, but a Live Activity shows no media.",
        source: page + " A Live Activity shows only the values in its `content-state`."
    ) { subject in
        guard subject.pushes.contains(where: { $0.place == .top && $0.isLiveActivity }) else { return nil }
        let common = ["media-url", "media_url", "image-url", "image_url", "attachment-url", "attachment_url"]
        let named = common.map { subject.payload[$0] }.first { $0.text != nil }
        guard let place = subject.media.first?.path ?? named?.path else { return nil }
        return RuleFinding(
            place, "a Live Activity shows no attachment",
            fix: "Remove the media, or send them in another notification")
    }
}
