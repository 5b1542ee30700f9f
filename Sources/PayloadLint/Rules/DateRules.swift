import FoundationEssentials
import JSON
import NotificationModel
import NotificationProcessor

/// What is over, or will be.
enum DateRules {
    static let all = [expired, mediumGone, deadline]

    private static let expired = LintRule(
        "message-expired", .error, "The message's own expiry has passed: its text for the expired is shown.",
        source: "docs/envelope.md: the outcome is `expired`."
    ) { subject in
        guard let date = subject.reading.expiresAt, date <= subject.date else { return [] }
        let message = subject.isRead(as: "2mee") ? TwoMeePlace(subject.payload).node : subject.payload
        let place = ["playTime", "pt_timer_end"].map { message[$0] }.first(where: \.exists) ?? subject.payload
        return [
            LintFlaw(
                place, "the message expired at \(written(date))",
                fix: "Give it a time that is to come, or --now a time before")
        ]
    }

    private static let mediumGone = LintRule(
        "medium-gone", .warning, "By the payload's own word the origin has deleted the medium.",
        source: "ntfy: `attachment.expires`."
    ) { subject in
        subject.media.compactMap { medium in
            guard let date = medium.reference.goneAt, date <= subject.date else { return nil }
            return LintFlaw(
                medium.path, "the origin deleted it at \(written(date))", fix: "Upload it again, and name the new file")
        }
    }

    private static let deadline = LintRule(
        "deadline-passed", .warning, "The envelope's deadline has passed: the fallback text is emitted at once.",
        source: "docs/envelope.md."
    ) { subject in
        let node = subject.object["deadline"]
        guard subject.isEnvelope, let date = node.string.flatMap({ Timestamp.parse($0) }), date <= subject.date else {
            return []
        }
        return [LintFlaw(node, "the deadline has passed", fix: "Write one that is to come, or a budget")]
    }

    private static func written(_ date: Date) -> String {
        // Years of five digits have no RFC 3339 form, and no reader either.
        guard (0...253_402_300_799).contains(date.timeIntervalSince1970) else { return "a time out of all calendars" }
        return date.formatted(.iso8601)
    }
}
