import Base
import LinuxIO
import NotificationModel

/// The answer of an origin to one request, as the faults with which the laboratory's origin repeats it.
///
/// The answer is derived from the timing of the transfer, from the header fields that its record keeps, and from the
/// bytes that have arrived. A body that broke off is repeated up to the same byte, and then breaks off in the same way.
struct RecordedAnswer {
    /// Times that are shorter are left out.
    static let minTime = Duration.milliseconds(5)
    /// The excess of an announced length over a body that broke off, in bytes, if the origin announced none.
    private static let excess = 1_000
    /// The number of bytes of a body that is refused for its size. The head and the first bytes suffice for that.
    private static let maxOfRefused = 1 << 16

    /// A body that a file of the recording must have.
    struct Body {
        let file: MediaFile?
        let byteCount: Int
        /// Whether a byte follows, so that the origin breaks off before the end of the file.
        let isPadded: Bool
    }

    let timing: TransferTiming
    let answer: TransferRecord.Answer

    /// Returns the faults of the answer.
    ///
    /// - Parameter redirect: A function that returns the target of a redirect without secrets.
    /// - Parameter keep: A function that keeps a body, and returns its path relative to the scenario.
    func faults(redirect: (String) -> String, keep: (Body) throws -> String) throws -> ScenarioValue {
        guard let status = timing.status else { return unanswered }
        // The stored response that the origin has confirmed is not known here.
        if status == 304 { return .text("ok") }
        var faults = Self.time("delay", timing.wait)
        var fields: [ScenarioMember] = []
        if let pause = answer.fields["retry-after"] { fields.append(ScenarioMember("Retry-After", .text(pause))) }
        if [301, 302, 303, 307, 308].contains(status), let location = answer.fields["location"] {
            return .map(faults + [ScenarioMember("redirect", .text(redirect(location)))])
        }
        guard (200...299).contains(status), ![204, 205].contains(status) else {
            if !fields.isEmpty { faults.append(ScenarioMember("header", .map(fields))) }
            return .map(faults + [ScenarioMember("status", .text("\(status)"))])
        }
        fields.append(ScenarioMember("Content-Type", answer.fields["content-type"].map { .text($0) } ?? .nothing))
        // The transfer ended before its bytes were kept, because they belong to no media format.
        if timing.failure == .unsupportedMedia {
            return .map(faults + [ScenarioMember("header", .map(fields)), ScenarioMember("page", .text("true"))])
        }
        let (ending, body, length) = self.ending
        if let length { fields.append(ScenarioMember("Content-Length", .text("\(length)"))) }
        // Without a validator, an attempt after this one begins at the first byte.
        if ending != nil || length != nil { fields.append(ScenarioMember("ETag", .nothing)) }
        faults.append(ScenarioMember("header", .map(fields)))
        if let rate { faults.append(ScenarioMember("rate", .text("\(rate)"))) }
        if let ending { faults.append(ending) }
        faults.append(ScenarioMember("file", .text(try keep(body))))
        return .map(faults)
    }

    /// The fault in place of a response that never began.
    private var unanswered: ScenarioValue {
        switch timing.failure {
        case .connectionLost?, .truncated?, .connectFailed?, .tlsFailed?:
            .map(Self.time("delay", timing.wait) + [ScenarioMember("reset", .mapping(("after", .text("0"))))])
        default: .mapping(("stall", .text("headers")))
        }
    }

    /// The end of the body: the fault, the bytes before it, and the announced length; `nil` if it is that of the file.
    private var ending: (fault: ScenarioMember?, body: Body, length: Int?) {
        // A longer body is cut, and then breaks off at the cut.
        let count = min(answer.byteCount, Recording.maxBodyBytes)
        let whole = Body(file: answer.file, byteCount: count, isPadded: false)
        let padded = Body(file: answer.file, byteCount: count, isPadded: true)
        let announced = max(answer.completeLength ?? count + Self.excess, count + 1)
        let place = ScenarioValue.mapping(("after", .text("\(count)")))
        switch timing.failure {
        case .truncated?: return (nil, whole, announced)
        case .connectionLost?: return (ScenarioMember("reset", place), padded, announced)
        case .budgetExceeded?, .cancelled?: return (ScenarioMember("stall", place), padded, announced)
        case .tooLarge?:
            let begin = Body(file: answer.file, byteCount: min(count, Self.maxOfRefused), isPadded: count == 0)
            if let length = answer.completeLength { return (nil, begin, length) }
            return (ScenarioMember("endless", .text("true")), begin, nil)
        default: return (nil, whole, nil)
        }
    }

    /// The bytes of the body in each second; `nil` if the body arrived at once.
    private var rate: Int? {
        guard answer.active >= Self.minTime * 4, answer.byteCount > 0 else { return nil }
        return max(1, min(1_000_000_000, Int(Double(answer.byteCount) / answer.active.seconds)))
    }

    /// Returns a member with a time in milliseconds; none if the time is too short to matter.
    static func time(_ key: String, _ time: Duration?) -> [ScenarioMember] {
        guard let time, time >= minTime else { return [] }
        return [ScenarioMember(key, .text("\(Int(min(time, .seconds(3_600)).milliseconds.rounded()))ms"))]
    }
}
