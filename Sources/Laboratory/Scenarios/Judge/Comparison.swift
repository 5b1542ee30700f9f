import Base
import NotificationModel

/// The comparison of one result with one expectation.
struct Comparison {
    /// The tolerance of durations of media, in seconds: a frame at ten frames a second.
    private static let mediaTolerance = 0.1

    let notification: ProcessedNotification
    /// The number of the payload, if the scenario has several.
    let step: Int?
    private(set) var checks: [Check] = []

    mutating func compare(_ expectation: Expectation) {
        let explanation = Explanation(notification)
        if let outcome = expectation.outcome {
            let isMet = outcome.value == notification.outcome
            add(
                outcome.mark, "outcome", outcome.value.rawValue,
                notification.outcome.rawValue + (isMet ? "" : explanation.parenthesis), isMet,
                explanation.advice(for: outcome.value))
        }
        if let reason = expectation.reason {
            add(
                reason.mark, "reason", reason.value?.rawValue ?? "none", notification.reason?.rawValue ?? "none",
                reason.value == notification.reason, explanation.sentence)
        }
        compare(expectation.title, "title", notification.text.title)
        compare(expectation.subtitle, "subtitle", notification.text.subtitle)
        compare(expectation.body, "body", notification.text.body)
        compareAttachments(expectation)
        for verdict in expectation.verdicts { compare(verdict) }
    }

    private mutating func add(
        _ mark: TextMark, _ key: String, _ expected: String, _ got: String, _ isMet: Bool, _ advice: String? = nil
    ) {
        checks.append(
            Check(
                mark: mark, step: step, key: key, expected: expected, got: got, isMet: isMet,
                advice: isMet ? nil : advice))
    }

    private mutating func compare(_ expected: Placed<String>?, _ key: String, _ got: String?) {
        guard let expected else { return }
        add(
            expected.mark, key, Explanation.quoted(expected.value), Explanation.quoted(got ?? ""),
            expected.value == got ?? "",
            notification.outcome == .fallback ? "the result has the fallback text" : nil)
    }

    // MARK: Attachments

    private mutating func compareAttachments(_ expectation: Expectation) {
        let shown = notification.attachments
        let names = shown.map(\.identifier).joined(separator: ", ")
        let got = shown.isEmpty ? "none" : "\(shown.count) (\(names))"
        if let count = expectation.attachmentCount {
            add(
                count.mark, "attachments", count.value.text, got, count.value.contains(Double(shown.count)),
                Explanation(notification).sentence)
        }
        guard let attachments = expectation.attachments, let mark = expectation.attachmentsMark else { return }
        add(
            mark, "attachments", "\(attachments.count)", got, shown.count == attachments.count,
            Explanation(notification).sentence)
        for (index, attachment) in attachments.enumerated() {
            let named = attachment.identifier.flatMap { name in shown.first { $0.identifier == name.value } }
            guard let found = named ?? (shown.indices.contains(index) ? shown[index] : nil) else { continue }
            compare(attachment, found)
        }
    }

    private mutating func compare(_ expected: Expectation.Attachment, _ got: NotificationAttachment) {
        let info = got.asset.info
        if let identifier = expected.identifier {
            add(identifier.mark, "identifier", identifier.value, got.identifier, identifier.value == got.identifier)
        }
        if let type = expected.type {
            let names = [info.type.mimeType, info.type.name.lowercased(), info.type.fileExtension]
            add(type.mark, "type", type.value, info.type.mimeType, names.contains(type.value.lowercased()))
        }
        if let size = expected.size {
            let bytes = Double(info.byteCount)
            add(size.mark, "size", size.value.text, ShownNumber.size(bytes), size.value.contains(bytes))
        }
        for (key, measure, value) in [
            ("width", expected.width, info.width), ("height", expected.height, info.height),
            ("frames", expected.frames, info.frames),
        ] {
            guard let measure else { continue }
            add(measure.mark, key, measure.value.text, "\(value)", measure.value.contains(Double(value)))
        }
        if let duration = expected.duration {
            let seconds = info.duration?.seconds
            add(
                duration.mark, "duration", duration.value.text, seconds.map(ShownNumber.time) ?? "none",
                seconds.map { duration.value.contains($0, tolerance: Self.mediaTolerance) } ?? false)
        }
    }

    // MARK: Verdicts

    private mutating func compare(_ expected: Expectation.Verdict) {
        let (name, mark) = (expected.identifier.value, expected.identifier.mark)
        guard let verdict = notification.verdicts.first(where: { $0.identifier == name }) else {
            let names = notification.verdicts.map(\.identifier)
            add(
                mark, "verdicts", "a verdict of \(name)", names.isEmpty ? "none" : names.joined(separator: ", "), false,
                "the identifiers are those of the payload, or media-1, media-2 and so on")
            return
        }
        if let reason = expected.reason {
            add(
                reason.mark, "\(name) reason", reason.value?.rawValue ?? "none",
                verdict.failure?.reason.rawValue ?? "none", reason.value == verdict.failure?.reason,
                verdict.failure?.detail)
        }
        if let unError = expected.unError {
            let got = verdict.unError?.rawValue
            add(
                unError.mark, "\(name) unError", unError.value.map(String.init) ?? "none",
                got.map(String.init) ?? "none", unError.value == got, verdict.phoneObstacle)
        }
    }
}
