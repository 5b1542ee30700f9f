import Base
import NotificationModel

/// The reader of `expect`.
struct ExpectationReader {
    let problems: ProblemList

    private static let outcomes = Outcome.allCases.map { ($0.rawValue, $0) }
    private static let reasons: [(String, DegradationReason?)] =
        [("none", nil)] + DegradationReason.allCases.map { ($0.rawValue, Optional($0)) }

    func expectation(_ node: ScenarioNode) -> Expectation {
        let fields = FieldReader(node, "expect", example: "{outcome: rich}", problems)
        var expectation = Expectation(mark: node.mark)
        expectation.outcome = fields.choice("outcome", Self.outcomes)
        expectation.reason = fields.choice("reason", Self.reasons)
        expectation.title = fields.value("title", "a text") { $0 }
        expectation.subtitle = fields.value("subtitle", "a text") { $0 }
        expectation.body = fields.value("body", "a text") { $0 }
        readAttachments(fields, into: &expectation)
        if let verdicts = fields.node("verdicts") { expectation.verdicts = self.verdicts(verdicts) }
        expectation.within = fields.value("within", "a time at most, such as 2s, or a range, such as 1s..2s") { text in
            guard var measure = Measure(text, unit: MeasureText.seconds) else { return nil }
            if measure.least == measure.most { measure.least = 0 }
            return measure
        }
        if let hits = fields.node("hits") { expectation.hits = self.hits(hits) }
        expectation.memory = fields.value("memory", "a size at most, such as 60MB") { text in
            guard var measure = Measure(text, unit: MeasureText.bytes) else { return nil }
            if measure.least == measure.most { measure.least = 0 }
            return measure
        }
        expectation.phone = fields.node("phone").map(PhoneReader(problems: problems).expectation)
        fields.finish()
        return expectation
    }

    private func readAttachments(_ fields: FieldReader, into expectation: inout Expectation) {
        guard let node = fields.node("attachments") else { return }
        expectation.attachmentsMark = node.mark
        if case .list(let elements) = node.content {
            expectation.attachments = elements.map(attachment)
        } else {
            expectation.attachmentCount = fields.value(
                "attachments", "a number, such as 1, or a list with a mapping for each attachment"
            ) { Measure($0, unit: MeasureText.count) }
        }
    }

    private func attachment(_ node: ScenarioNode) -> Expectation.Attachment {
        let fields = FieldReader(node, "an attachment", example: "{type: image/jpeg, size: <= 300kB}", problems)
        var attachment = Expectation.Attachment(mark: node.mark)
        attachment.identifier = fields.value("identifier", "a text") { $0 }
        attachment.type = fields.value("type", "a media type, such as image/jpeg") { $0.isEmpty ? nil : $0 }
        attachment.size = measure("size", "a size, such as <= 300kB", fields, MeasureText.bytes)
        attachment.width = measure("width", "a number of pixels, such as 1038", fields, MeasureText.count)
        attachment.height = measure("height", "a number of pixels, such as 1038", fields, MeasureText.count)
        attachment.duration = measure("duration", "a duration, such as 2s or <= 30s", fields, MeasureText.seconds)
        attachment.frames = measure("frames", "a number of frames, such as 10 or >= 2", fields, MeasureText.count)
        fields.finish()
        return attachment
    }

    private func measure(
        _ key: String, _ expected: String, _ fields: FieldReader, _ unit: (String) -> Double?
    ) -> Placed<Measure>? {
        fields.value(key, expected) { Measure($0, unit: unit) }
    }

    private func verdicts(_ node: ScenarioNode) -> [Expectation.Verdict] {
        guard let members = node.members else {
            problems.add(node.mark, "verdicts is \(node.shown): write a mapping, such as {media-1: http-status}")
            return []
        }
        return members.map { member in
            var verdict = Expectation.Verdict(identifier: member.name)
            // `media-1: http-status` is short for `media-1: {reason: http-status}`.
            let short = member.value.text != nil
            let value =
                short
                ? ScenarioNode(
                    content: .map([.init(name: Placed(value: "reason", mark: member.value.mark), value: member.value)]),
                    mark: member.value.mark) : member.value
            let fields = FieldReader(value, "a verdict", example: "{reason: http-status, unError: 102}", problems)
            verdict.reason = fields.choice("reason", Self.reasons + [("shown", nil)])
            verdict.unError = fields.value("unError", "none, 100, 101, 102 or 105") { text in
                text == "none" ? .some(nil) : [100, 101, 102, 105].first { "\($0)" == text }.map(Optional.some)
            }
            fields.finish()
            return verdict
        }
    }

    private func hits(_ node: ScenarioNode) -> [(key: Placed<String>, count: Placed<Measure>)] {
        guard let members = node.members else {
            problems.add(node.mark, "hits is \(node.shown): write a mapping, such as {/photo.jpg: 1}")
            return []
        }
        return members.compactMap { member in
            guard let count = member.value.text.flatMap({ Measure($0, unit: MeasureText.count) }) else {
                problems.add(
                    member.value.mark,
                    "\(member.name.value) is \(member.value.shown): it must be a number, such as 1 or <= 2")
                return nil
            }
            return (member.name, Placed(value: count, mark: member.value.mark))
        }
    }
}
