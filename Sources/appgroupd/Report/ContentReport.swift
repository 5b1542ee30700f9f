import NotificationModel
import PayloadLint

/// The processed content of one payload for people: the outcome, the texts, each medium and why it is shown or left
/// out, where the time went, what an iPhone would have done, and what to change.
struct ContentReport {
    let notification: ProcessedNotification
    let input: PayloadInput
    /// The mistakes that lint finds in the payload.
    let findings: [LintFinding]

    /// - Parameter width: columns of the terminal.
    func lines(width: Int, isColored: Bool) -> [String] {
        let wrapped = WrappedText(width: width)
        let sections: [(String, [String])] = [
            ("from", [origin]), ("problem", text(notification.problem)),
            ("title", text(notification.text.title)), ("subtitle", text(notification.text.subtitle)),
            ("body", text(notification.text.body)), ("media", media), ("time", [time]), ("phone", [phone]),
            ("change", changes),
        ]
        let head = "\(VisibleText.of(input.description)): \(isColored ? coloredOutcome : outcome)"
        var lines = [head]
        for (label, paragraphs) in sections {
            for (index, paragraph) in paragraphs.enumerated() {
                lines += wrapped.lines(index == 0 ? label : "", paragraph)
            }
            if label == "time" { lines += StageBars(verdicts: notification.verdicts).lines(width: width) }
        }
        return lines
    }

    // MARK: The head

    private var outcome: String { notification.outcome.rawValue }

    /// In green, yellow or red (ECMA-48, SGR), bold.
    private var coloredOutcome: String {
        let color =
            switch notification.outcome {
            case .rich, .passthrough, .prefetched: 32
            case .partial, .fallback, .expired, .cancelled: 33
            case .rejected: 31
            }
        return "\u{1B}[1;\(color)m\(outcome)\u{1B}[0m"
    }

    private var origin: String {
        let rule = notification.payload.detectedBy.map { " (by \($0))" } ?? ""
        let dialect = notification.payload.dialect.map { "\($0)\(rule)" } ?? "no dialect that is known"
        return "\(VisibleText.of(dialect)), for the profile \(notification.profile.name), id \(notification.id)"
    }

    private func text(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(whereSeparator: \.isNewline).map { VisibleText.of(String($0)) }
    }

    private func sentence(_ text: String) -> String {
        let visible = VisibleText.of(text)
        return VisibleText.sentence(visible.prefix(1).uppercased() + visible.dropFirst())
    }

    // MARK: The media

    private var media: [String] {
        guard !notification.verdicts.isEmpty else { return ["None is named that \(reader) reads."] }
        return notification.verdicts.flatMap { [line(of: $0), $0.url.isEmpty ? "" : "  " + VisibleText.of($0.url)] }
            .filter { !$0.isEmpty }
    }

    private var reader: String { notification.payload.dialect.map { "the dialect \($0)" } ?? "any dialect" }

    private func line(of verdict: Verdict) -> String {
        let name = VisibleText.of(verdict.identifier)
        if let failure = verdict.failure {
            return "\(name) is left out (\(failure.reason.rawValue)): \(sentence(failure.detail))"
        }
        guard let attachment = notification.attachments.first(where: { $0.identifier == verdict.identifier }) else {
            return "\(name) is in the container."
        }
        let (info, source) = (attachment.asset.info, HumanText.bytes(attachment.sourceByteCount))
        let size = info.width > 0 ? ", \(info.width) × \(info.height)" : ""
        let less = verdict.reduction.map { " \(sentence($0.detail))" } ?? ""
        return "\(name) is shown: \(info.type.mimeType)\(size), \(HumanText.bytes(info.byteCount)), "
            + "from \(source) of \(VisibleText.of(attachment.sourceType)) (\(attachment.cache.rawValue)), "
            + "in \(attachment.asset.path).\(less)"
    }

    private var time: String {
        "\(HumanText.duration(notification.timing.elapsed)) of \(HumanText.duration(notification.timing.budget))"
    }

    // MARK: The conclusions

    private var phone: String {
        let phone = notification.phone
        let why = phone.why.map { ": \(VisibleText.of($0))" } ?? ""
        let runs =
            switch phone.wouldRunExtension {
            case true?: "An iPhone would run the app's extension."
            case false?: VisibleText.sentence("An iPhone would not run the app's extension\(why)")
            case nil: VisibleText.sentence("An iPhone would not receive it\(why)")
            }
        let refusals = notification.verdicts.compactMap { verdict in
            verdict.unError.map { " It would refuse \(VisibleText.of(verdict.identifier)) as it is: \($0.meaning)." }
        }
        return runs + refusals.joined()
    }

    /// A mistake at several places is one paragraph.
    private var changes: [String] {
        var found: [(pointers: [String], text: String)] = []
        for finding in findings {
            let message = VisibleText.sentence(VisibleText.of(finding.message))
            let text = "\(message) \(sentence(finding.fix)) [\(finding.rule)]"
            let pointer = VisibleText.of(finding.pointer)
            if let index = found.firstIndex(where: { $0.text == text }) {
                found[index].pointers.append(pointer)
            } else {
                found.append(([pointer], text))
            }
        }
        let reasons = notification.verdicts.compactMap { $0.failure?.reason.advice }
        let advice = reasons.enumerated().filter { !reasons[..<$0.offset].contains($0.element) }.map(\.element)
        return found.map { "\($0.pointers.joined(separator: ", ")): \($0.text)" } + advice
    }
}

extension UNErrorCode {
    fileprivate var meaning: String {
        let words =
            switch self {
            case .attachmentInvalidURL: "its URL is invalid"
            case .attachmentUnrecognizedType: "its type is not supported"
            case .attachmentInvalidFileSize: "it is too large"
            case .attachmentCorrupt: "it is damaged"
            }
        return "\(words) (UNError \(rawValue))"
    }
}
