import FoundationEssentials
import HTTPCaching
import HTTPTypes
import MediaTypes
import NameResolution
import NotificationModel
import Primitives

/// A request during all its attempts, with the parts of the response that have arrived.
///
/// The type is a class, so that its values take no space in the frames of the task that runs it.
final class OriginFetch {
    /// The minimum size of an incomplete body that is kept after the last waiter has left, in bytes. A smaller body is
    /// cheap to fetch again.
    static let leastKept = 65_536

    let request: OriginRequest
    private let mode: FetchContext.FetchMode
    var number = 0
    /// The position at which the next attempt continues the body, in bytes; 0 for the beginning.
    var offset = 0
    var failure: MediaFailure?
    var report: TransferReport?
    /// The cached failure of the host name; `nil` if the next attempt asks the name servers.
    var rememberedName: RememberedFailure?
    /// Whether the host has failed in the attempts so far, without a later success.
    var hasHostFailed = false
    /// Whether the next attempt parses the response of the origin leniently.
    private(set) var isLenient = false
    private var file: MediaFile?
    /// The headers and times of the response whose bytes are in the file; `nil` before the first response.
    private var first: (head: ResponseHead, requestTime: Date, responseTime: Date)?
    private var mediaKind: MediaKind?
    /// The length of the whole body, in bytes; `nil` if the origin has not announced it.
    private var completeLength: Int?

    init(_ request: OriginRequest, for mode: FetchContext.FetchMode = .media) {
        self.request = request
        self.mode = mode
    }

    /// Creates a GET for the part of a media item from a position to its end.
    ///
    /// - Parameter version: the version of the file to which the part belongs. If the file has changed, the origin
    ///   sends the whole file.
    convenience init(tail target: ValidatedURL, from firstByte: Int, of version: ArrivingMedia.Version) {
        var request = OriginRequest(.get, target.text)
        request.fields[.range] = "bytes=\(firstByte)-"
        request.fields[.ifRange] = version.validator
        self.init(request)
        tail = (firstByte, version)
    }

    /// The requested part, given by its first byte; `nil` if the whole file is requested.
    private var tail: (firstByte: Int, version: ArrivingMedia.Version)?

    /// The file that the next attempt continues; `nil` if the attempt starts a new file.
    var begunFile: MediaFile? { offset > 0 ? file : nil }

    var bodyMode: TransferRequest.BodyMode {
        if case .passthrough(let largest) = mode {
            // The response to HEAD has no body, even if its headers announce one.
            return .raw(request.method == .head ? .max : largest)
        }
        if offset > 0 { return .resume(from: offset, as: mediaKind, of: validator, length: completeLength) }
        if let tail { return .tail(from: tail.firstByte, of: tail.version) }
        return isOfPart ? .range : .media
    }

    private var isOfPart: Bool { request.fields.contains(.range) }

    /// The header fields of the next attempt, each as `Name: value`.
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
        // The rest of a body belongs to the headers of the response that began the body. A response without a body does
        // not replace them.
        if offset == 0 || (report.isWanted && head.status != 206) {
            first = (head, report.requestTime, report.responseTime)
            completeLength = report.completeLength
        }
        mediaKind = report.mediaKind
    }

    /// The validator for a range request: a strong `ETag` (RFC 9110 §13.1.5); `nil` if no validator has arrived.
    private var validator: String? {
        guard let tag = first?.head.value(of: .eTag), tag.hasPrefix("\"") else { return nil }
        return tag
    }

    /// Whether the last attempt shows that the host works. The value is `nil` if the host was not asked, if the attempt
    /// was cancelled, or if the response shows nothing about the host.
    var hostSucceeded: Bool? {
        guard let report, report.isBegun else { return nil }
        switch report.failure?.reason {
        case nil: return report.head.flatMap { $0.isFailureOfHost ? false : $0.status < 400 ? true : nil }
        // A host may close an idle connection at any time.
        case .connectionLost where report.isOverKeptConnection && report.head == nil: return nil
        case .connectFailed, .tlsFailed, .connectionLost, .budgetExceeded: return false
        case .cancelled, .overloaded, .storageFailed, .internal: return nil
        default: return true
        }
    }

    /// Whether the whole response has arrived, so that no further attempt is needed.
    var isThere: Bool {
        guard failure == nil, offset == 0, let status = report?.head?.status else { return false }
        return status < 400
    }

    /// Whether the host is overloaded and answered 429 or 503.
    var isAskedToSlowDown: Bool { report?.head.map { [429, 503].contains($0.status) } ?? false }

    /// The facts for the retry policy.
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
        // The status of a proxy's refusal has the same effect as a status of the origin.
        if let status = report.proxyFailure?.status { (attempt.reason, attempt.status) = (.httpStatus, status) }
        return attempt
    }

    /// Whether the bytes of earlier attempts remain valid and the last attempt added no bytes. Such an attempt has no
    /// response, or the response of an origin with a temporary problem.
    private var isBeginningKept: Bool {
        guard offset > 0, file != nil, first != nil else { return false }
        guard let report, let status = report.head?.status else { return true }
        return !report.isWanted && RetryPolicy.isPassing(status)
    }

    /// Whether the origin sent another part than the requested one, or no part (416).
    private var isStrayPart: Bool {
        guard offset > 0, let report, let status = report.head?.status else { return false }
        return status == 416 || (status == 206 && !report.isWanted)
    }

    /// The final outcome: the response of the origin with all or a part of its body, and the reason if the body is
    /// incomplete.
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
            // A body that was lost before its first byte must not be reported as an empty body.
            if report.isWanted, let failure { return OriginOutcome(failure: failure) }
            return OriginOutcome(
                response: OriginResponse(
                    head: head, body: .empty, requestTime: report.requestTime, responseTime: report.responseTime),
                failure: failure)
        }
        // An incomplete body is kept only if its rest can be requested.
        guard failure == nil || attempt.resumableBytes > 0 || isPartOfPlain else {
            return OriginOutcome(failure: failure)
        }
        var kept = first.head
        if !report.isResumable, mode == .media {
            // The file has the decoded bytes, but these two fields describe the encoded bytes.
            kept.fields[.contentEncoding] = nil
            kept.fields[.contentLength] = nil
        }
        return OriginOutcome(
            response: OriginResponse(
                head: kept, body: ResponseBody(file: file, bytes: 0..<report.byteCount), isComplete: failure == nil,
                requestTime: first.requestTime, responseTime: first.responseTime),
            failure: failure)
    }

    /// The outcome after the last waiter has left. The received part of a long body is kept, so that the next fetch
    /// requests only the rest. A short body is not kept.
    var abandoned: OriginOutcome {
        guard mode == .media, attempt.resumableBytes >= Self.leastKept else {
            return OriginOutcome(failure: .cancelled)
        }
        return isBeginningKept ? beginning(.cancelled) : outcome
    }

    /// Returns the outcome with the bytes of earlier attempts.
    private func beginning(_ failure: MediaFailure) -> OriginOutcome {
        guard let first, let file else { return OriginOutcome(failure: failure) }
        return OriginOutcome(
            response: OriginResponse(
                head: first.head, body: ResponseBody(file: file, bytes: 0..<offset), isComplete: false,
                requestTime: first.requestTime, responseTime: first.responseTime),
            failure: failure)
    }

    /// Whether the request is a passthrough exchange, which returns an incomplete body to its caller.
    private var isPartOfPlain: Bool {
        guard mode != .media, let report, report.byteCount > 0 else { return false }
        return [.truncated, .connectionLost, .budgetExceeded].contains(failure?.reason)
    }

    /// Returns the delay of a `Retry-After` field, which has seconds or a date (RFC 9110 §10.2.3); `nil` if it is
    /// malformed.
    static func delay(_ text: String, at now: Date) -> Duration? {
        if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 86_400)) }
        guard let date = HTTPDate.read(text, now: now) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }
}

/// The outcome of a request to an origin.
///
/// The type is a class, because a task reserves space for each copy of a large value that passes through its functions.
final class OriginOutcome: Sendable {
    /// The response of any status; `nil` if there was no response. After a failure, its body has only the bytes that
    /// arrived.
    let response: OriginResponse?
    /// The failure; `nil` if the response is complete.
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
    /// Turns a 206 that has all bytes into a 200.
    mutating func makeWhole() {
        status = 200
        fields[.contentRange] = nil
    }

    /// Whether the status means a failure of the host: 5xx and 429. Other statuses from 400 concern only the URL.
    var isFailureOfHost: Bool { status >= 500 || status == 429 }
}
