import Base
import FeatureKit
import NotificationModel
import NotificationProcessor
import PayloadLint

/// The processed content of one payload as text. It has the outcome, the texts, the media with their verdicts, and the
/// time of each stage. It also has the behaviour of an iPhone, and the changes that would help.
struct ContentReport {
    /// The content in the form that `process` and the daemon print.
    let content: JSONValue
    /// The name of the payload or the request, which is printed before the outcome.
    let heading: String
    /// The mistakes that `lint` finds in the payload.
    var findings: [LintFinding] = []

    /// Returns the report as lines for a terminal with this number of columns.
    func lines(width: Int, isColored: Bool) -> [String] {
        let texts = content["content"]
        let sections: [(String, [String])] = [
            ("from", [origin]), ("problem", text(content["problem"])), ("title", text(texts["title"])),
            ("subtitle", text(texts["subtitle"])), ("body", text(texts["body"])), ("media", media), ("time", [time]),
            ("phone", [phone]), ("change", changes),
        ]
        let color = Outcome(rawValue: outcome)?.color ?? .red
        var lines = ["\(VisibleText.of(heading)): \(isColored ? color.bold(outcome) : outcome)"]
        for (label, paragraphs) in sections {
            lines += WrappedText.lines(label, paragraphs, width: width)
            if label == "time" { lines += StageBars(of: verdicts).lines(width: width) }
        }
        return lines
    }

    // MARK: The heading

    private var outcome: String { content["outcome"]?.string ?? "" }

    private var origin: String {
        let rule = content["detectedBy"]?.string.map { " (by \($0))" } ?? ""
        let dialect = content["dialect"]?.string.map { $0 + rule } ?? "no known dialect"
        let (profile, id) = (content["profile"]?.string ?? "", content["id"]?.string ?? "")
        return "\(VisibleText.of(dialect)), for the profile \(profile), id \(id)"
    }

    private func text(_ value: JSONValue?) -> [String] {
        (value?.string ?? "").split(whereSeparator: \.isNewline).map { VisibleText.of(String($0)) }
    }

    private func sentence(_ text: String) -> String {
        let visible = VisibleText.of(text)
        return VisibleText.sentence(visible.prefix(1).uppercased() + visible.dropFirst())
    }

    // MARK: The media

    private var verdicts: [JSONValue] { content["verdicts"]?.array ?? [] }

    private var media: [String] {
        guard !verdicts.isEmpty else {
            let reader = content["dialect"]?.string.map { "the dialect \($0)" } ?? "any dialect"
            return ["The payload has no media that \(VisibleText.of(reader)) reads."]
        }
        return verdicts.flatMap { verdict in
            [line(of: verdict)] + text(verdict["url"]).prefix(1).map { "  " + $0 }
        }
    }

    private func line(of verdict: JSONValue) -> String {
        let identifier = verdict["identifier"]?.string ?? ""
        let name = VisibleText.of(identifier)
        let detail = verdict["detail"]?.string.map { sentence($0) } ?? ""
        if verdict["result"]?.string != "shown" {
            return "\(name) is left out (\(verdict["reason"]?.string ?? "")): \(detail)"
        }
        let attachments = content["content"]["attachments"]?.array ?? []
        guard let shown = attachments.first(where: { $0["identifier"]?.string == identifier }) else {
            return "\(name) is in the container. \(detail)"
        }
        func number(_ value: JSONValue?) -> Int { value?.integer ?? 0 }
        func visible(_ value: JSONValue?) -> String { VisibleText.of(value?.string ?? "") }
        let (width, height, source) = (number(shown["width"]), number(shown["height"]), shown["source"])
        let size = width > 0 ? ["\(width) × \(height)"] : []
        let streams = StreamFacts(shown["streams"])?.words.map { VisibleText.of($0) } ?? []
        let file = ([visible(shown["mimeType"])] + size + streams + [HumanText.bytes(number(shown["bytes"]))])
            .joined(separator: ", ")
        let original = "\(HumanText.bytes(number(source["bytes"]))) of \(visible(source["mimeType"]))"
        let place = visible(shown["path"])
        return "\(name) is shown: \(file), from \(original) (\(visible(source["cache"]))), in \(place). \(detail)"
    }

    private var time: String {
        func duration(_ key: String) -> String {
            HumanText.duration(.milliseconds(content["timing"][key]?.integer ?? 0))
        }
        return "\(duration("elapsedMs")) of \(duration("budgetMs"))"
    }

    // MARK: The conclusions

    private var phone: String {
        let why = content["phone"]["why"]?.string.map { ": \(VisibleText.of($0))" } ?? ""
        let runs =
            switch content["phone"]["wouldRunExtension"]?.bool {
            case true?: "An iPhone would run the app's extension."
            case false?: VisibleText.sentence("An iPhone would not run the app's extension\(why)")
            case nil where FCMDialect.isMessage(content["content"]["userInfo"]):
                VisibleText.sentence(content["phone"]["why"]?.string.map { VisibleText.of($0) } ?? "")
            case nil: VisibleText.sentence("An iPhone would not receive this push\(why)")
            }
        let refusals = verdicts.compactMap { verdict in
            verdict["unError"]?.integer.flatMap(UNErrorCode.init).map { code in
                " It would refuse the original of \(text(verdict["identifier"]).joined()): \(code.meaning)."
            }
        }
        return runs + refusals.joined()
    }

    /// The paragraphs about changes. A mistake at several positions of the payload is one paragraph.
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
        let reasons = verdicts.filter { $0["result"]?.string != "shown" }
            .compactMap { $0["reason"]?.string.flatMap(DegradationReason.init)?.advice }
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

extension StreamFacts {
    /// The codecs and rates as text, such as `h264 at 25 fps` and `aac 48 kHz stereo`.
    fileprivate var words: [String] {
        let video = videoCodec.map { codec in frameRate.map { "\(codec) at \(Self.number($0)) fps" } ?? codec }
        let rate = sampleRate.map { "\(Self.number(Double($0) / 1_000)) kHz" }
        let sides = channels.map { [1: "mono", 2: "stereo"][$0] ?? "\($0) channels" }
        let audio = audioCodec.map { ([$0] + [rate, sides].compactMap(\.self)).joined(separator: " ") }
        return [video, audio].compactMap(\.self)
    }

    private static func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}
