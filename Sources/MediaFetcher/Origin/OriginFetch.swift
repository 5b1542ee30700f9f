import FoundationEssentials
import HTTPCaching
import HTTPTypes
import MediaHeaders
import NameResolution
import NotificationModel

/// A request on its way through its attempts: what there is of the answer so far.
///
/// An object: what lives as long as a request does not belong into the frames of the task that carries it.
final class OriginFetch {
    /// Bytes of a body that nobody waits for any more; with less, asking again costs no more than the rest would.
    static let leastKept = 65_536

    let request: OriginRequest
    private let mode: FetchContext.FetchMode
    var number = 0
    /// From where the next attempt goes on; 0: from the beginning.
    var offset = 0
    var failure: MediaFailure?
    var report: TransferReport?
    /// The failure of the host's name that is remembered; `nil`: the next attempt asks the name servers.
    var rememberedName: RememberedFailure?
    /// Whether the host has failed in the attempts so far, and not succeeded.
    var hasHostFailed = false
    /// The next attempt reads the response of the origin with more lenience.
    private(set) var isLenient = false
    private var file: MediaFile?
    /// Of the answer whose bytes are in the file.
    private var first: (head: ResponseHead, requestTime: Date, responseTime: Date)?
    private var mediaClass: MediaClass?
    /// Of the whole, where the origin has told it.
    private var completeLength: Int?

    init(_ request: OriginRequest, for mode: FetchContext.FetchMode = .media) {
        self.request = request
        self.mode = mode
    }

    /// Creates a GET for the part of a medium that begins at a byte and ends with the last one.
    ///
    /// - Parameter version: of the file whose part is wanted. An origin whose file has changed sends the whole.
    convenience init(tail target: ValidatedURL, from firstByte: Int, of version: ArrivingMedia.Version) {
        var request = OriginRequest(.get, target.text)
        request.fields[.range] = "bytes=\(firstByte)-"
        request.fields[.ifRange] = version.validator
        self.init(request)
        tail = (firstByte, version)
    }

    /// The only part that is wanted, by its first byte.
    private var tail: (firstByte: Int, version: ArrivingMedia.Version)?

    /// The file that the next attempt goes on with.
    var begunFile: MediaFile? { offset > 0 ? file : nil }

    var bodyMode: TransferRequest.BodyMode {
        if case .passthrough(let largest) = mode {
            // What answers a HEAD has no body, whatever it announces.
            return .raw(request.method == .head ? .max : largest)
        }
        if offset > 0 { return .resume(from: offset, as: mediaClass, of: validator, length: completeLength) }
        if let tail { return .tail(from: tail.firstByte, of: tail.version) }
        return isOfPart ? .range : .media
    }

    private var isOfPart: Bool { request.fields.contains(.range) }

    /// `Name: value`.
    var fieldLines: [String] {
        guard mode == .media else { return request.lines }
        var fields = request.fields
        if offset > 0, let validator {
            fields[.range] = "bytes=\(offset)-"
            fields[.ifRange] = validator
        }
        return fields.map { "\($0.name): \($0.value)" }
    }

    func take(_ report: TransferReport) {
        self.report = report
        file = report.file
        if report.isUnreadable, mode == .media { isLenient = true }
        guard let head = report.head else { return }
        // The rest of a body belongs to the head that began it, and an answer without a body takes nothing from it.
        if offset == 0 || (report.isWanted && head.status != 206) {
            first = (head, report.requestTime, report.responseTime)
            completeLength = report.completeLength
        }
        mediaClass = report.mediaClass
    }

    /// What resuming rests on: a strong `ETag` (RFC 9110 §13.1.5).
    private var validator: String? {
        guard let tag = first?.head.value(of: .eTag), tag.hasPrefix("\"") else { return nil }
        return tag
    }

    /// Whether the host did what a host does; `nil` where it was not asked, or not to the end, or where the answer says
    /// nothing of the host.
    var hostSucceeded: Bool? {
        guard let report, report.isBegun else { return nil }
        switch report.failure?.reason {
        case nil: return report.head.flatMap { $0.isFailureOfHost ? false : $0.status < 400 ? true : nil }
        // A host may close a connection that it has kept, at any time.
        case .connectionLost where report.isOverKeptConnection && report.head == nil: return nil
        case .connectFailed, .tlsFailed, .connectionLost, .budgetExceeded: return false
        case .cancelled, .overloaded, .storageFailed, .internal: return nil
        default: return true
        }
    }

    /// All that was asked for has come: nothing is left to try.
    var isThere: Bool {
        guard failure == nil, offset == 0, let status = report?.head?.status else { return false }
        return status < 400
    }

    /// The host has more to do than it can: 429 or 503.
    var isAskedToSlowDown: Bool { report?.head.map { [429, 503].contains($0.status) } ?? false }

    /// What the rule of retries needs to know.
    var attempt: RetryPolicy.Attempt {
        var attempt = RetryPolicy.Attempt(number: number, reason: failure?.reason, status: report?.head?.status)
        if isBeginningKept { attempt.resumableBytes = offset }
        attempt.nameRest = rememberedName?.rest ?? .zero
        guard let report else { return attempt }
        attempt.retryAfter = report.head?.value(of: .retryAfter).flatMap {
            Self.delay($0, at: report.responseTime)
        }
        let timing = report.timing
        attempt.timeToFirstByte = timing.wait.map { $0 + (timing.connect ?? .zero) + (timing.tls ?? .zero) }
        attempt.timeOfBody = timing.body
        attempt.bodyBytes = report.byteCount - offset
        attempt.completeLength = report.completeLength
        if report.isResumable, !isOfPart, validator != nil { attempt.resumableBytes = report.byteCount }
        if isStrayPart { attempt.reason = .truncated }
        // The status of a proxy's refusal decides like that of an origin.
        if let status = report.proxyFailure?.status { (attempt.reason, attempt.status) = (.httpStatus, status) }
        return attempt
    }

    /// What earlier tries brought is there, and this one brought none of the rest and says nothing against it: no answer,
    /// or that of an origin in trouble.
    private var isBeginningKept: Bool {
        guard offset > 0, file != nil, first != nil else { return false }
        guard let report, let status = report.head?.status else { return true }
        return !report.isWanted && RetryPolicy.isPassing(status)
    }

    /// Not the part that was asked for: another one, or none (416).
    private var isStrayPart: Bool {
        guard offset > 0, let report, let status = report.head?.status else { return false }
        return status == 416 || (status == 206 && !report.isWanted)
    }

    /// What the origin has answered in the end, a part of a body too; and why that is not the whole of it.
    var outcome: OriginOutcome {
        guard let report, let first, let head = report.head else {
            let lost = failure ?? MediaFailure(.connectionLost, "there was no response")
            return isBeginningKept ? beginning(lost) : OriginOutcome(failure: lost)
        }
        if isStrayPart {
            let stray = MediaFailure(.truncated, "the origin sent another part than the requested one")
            return OriginOutcome(failure: failure ?? stray)
        }
        guard report.isWanted, let file else {
            // A body that was lost before its first byte is not an empty body.
            if report.isWanted, let failure { return OriginOutcome(failure: failure) }
            return OriginOutcome(
                response: OriginResponse(
                    head: head, body: .empty, requestTime: report.requestTime, responseTime: report.responseTime),
                failure: failure)
        }
        // A part is worth keeping where the rest of it can be asked for.
        guard failure == nil || attempt.resumableBytes > 0 || isPartOfPlain else {
            return OriginOutcome(failure: failure)
        }
        var kept = first.head
        if !report.isResumable, mode == .media {
            // What is stored is decoded: the length and the encoding are of what came over the wire.
            kept.fields[.contentEncoding] = nil
            kept.fields[.contentLength] = nil
        }
        return OriginOutcome(
            response: OriginResponse(
                head: kept, body: ResponseBody(file: file, bytes: 0..<report.byteCount), isComplete: failure == nil,
                requestTime: first.requestTime, responseTime: first.responseTime),
            failure: failure)
    }

    /// What there is when everybody has left: of a long body as much as came, so that whoever comes next asks for the
    /// rest; of a short one nothing.
    var abandoned: OriginOutcome {
        guard mode == .media, attempt.resumableBytes >= Self.leastKept else {
            return OriginOutcome(failure: .cancelled)
        }
        return isBeginningKept ? beginning(.cancelled) : outcome
    }

    /// What earlier tries brought.
    private func beginning(_ failure: MediaFailure) -> OriginOutcome {
        guard let first, let file else { return OriginOutcome(failure: failure) }
        return OriginOutcome(
            response: OriginResponse(
                head: first.head, body: ResponseBody(file: file, bytes: 0..<offset), isComplete: false,
                requestTime: first.requestTime, responseTime: first.responseTime),
            failure: failure)
    }

    /// Whoever asks plainly gets as much as came.
    private var isPartOfPlain: Bool {
        guard mode != .media, let report, report.byteCount > 0 else { return false }
        return [.truncated, .connectionLost, .budgetExceeded].contains(failure?.reason)
    }

    /// `Retry-After`: seconds, or a date (RFC 9110 §10.2.3).
    static func delay(_ text: String, at now: Date) -> Duration? {
        if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 86_400)) }
        guard let date = HTTPDate.read(text, now: now) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}

/// What came of asking an origin.
///
/// An object, as it goes through many hands: a task keeps room for each copy of a large value that it may come by.
final class OriginOutcome: Sendable {
    /// An answer of any status, its body where it is a medium: all of it, or with a failure as much as came.
    let response: OriginResponse?
    /// `nil`: the response is whole.
    let failure: MediaFailure?

    init(response: OriginResponse? = nil, failure: MediaFailure? = nil) {
        self.response = response
        self.failure = failure
    }

    var result: Result<OriginResponse, MediaFailure> {
        if let response { return .success(response) }
        return .failure(failure ?? MediaFailure(.internal, "the request to the origin ended without a result"))
    }
}

extension ResponseHead {
    /// Makes a 200 of a 206 that has all bytes.
    mutating func makeWhole() {
        status = 200
        fields[.contentRange] = nil
    }

    /// The host cannot do what it is there for: 5xx and 429. Other statuses of 400 and above tell of the URL.
    var isFailureOfHost: Bool { status >= 500 || status == 429 }
}
