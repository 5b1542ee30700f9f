import Base
import FoundationEssentials
import NotificationModel
import NotificationProcessor

enum DateRules {
    static let all = [expired, itemGone, deadline]

    private static let expired = LintRule.single(
        "message-expired", .error, "The expiry time of the message has passed, so the message is shown as expired.",
        source: "docs/use/result.md describes the outcome `expired`."
    ) { subject in
        guard let date = subject.reading.expiresAt, date <= subject.linter.date else { return nil }
        let message = subject.isRead(as: "2mee") ? TwoMeePlace(subject.payload).node : subject.payload
        let place = ["playTime", "pt_timer_end"].map { message[$0] }.first(where: \.exists) ?? subject.payload
        return RuleFinding(
            place, "the message expired at \(written(date))",
            fix: "Write a later expiry, or an earlier time with --now")
    }

    private static let itemGone = LintRule.each(
        \.media, "medium-gone", .warning, "According to the payload, the origin has already deleted the media item.",
        source: "In a payload of ntfy, `attachment.expires` is the time at which the server deletes the file."
    ) { item, subject in
        guard let date = item.reference.goneAt, date <= subject.linter.date else { return nil }
        return RuleFinding(
            item.path, "the origin deleted the file at \(written(date))",
            fix: "Upload the file again, and write its new URL")
    }

    private static let deadline = LintRule.single(
        "deadline-passed", .warning,
        "The deadline of the envelope has passed, so the fallback text is emitted at once.",
        source: "See docs/use/envelope.md, `deadline`."
    ) { subject in
        let node = subject.object["deadline"]
        guard subject.isEnvelope, let date = node.string.flatMap({ Timestamp.parse($0) }), date <= subject.linter.date
        else {
            return nil
        }
        return RuleFinding(node, "the deadline has passed", fix: "Write a later deadline, or a budget")
    }

    private static func written(_ date: Date) -> String {
        // RFC 3339 has only years of four digits.
        guard (0...253_402_300_799).contains(date.timeIntervalSince1970) else { return "a time beyond the year 9999" }
        return date.formatted(.iso8601)
    }
}
