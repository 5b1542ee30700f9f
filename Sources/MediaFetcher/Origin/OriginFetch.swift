import Base
package import FoundationEssentials
package import HTTPCaching
import HTTPTypes
import LinuxIO
import NotificationModel

/// A request to one URL during all its attempts, with the parts of the response that have arrived.
///
/// The type is a class, so that its values take no space in the frames of the task that runs it.
final class OriginFetch {
    /// The minimum size of an incomplete body that is kept after the last waiter has left, in bytes. A smaller body is
    /// cheap to fetch again.
    static let minKept = 65_536

    let request: OriginRequest
    let url: ValidatedURL
    let context: FetchContext
    var number = 0
    /// The position at which the next attempt continues the body, in bytes; 0 for the beginning.
    var offset = 0
    /// Whether the host has failed in the attempts so far, without a later success.
    var hasHostFailed = false
    /// Whether the next attempt parses the response of the origin leniently.
    private(set) var isLenient = false
    private var file: MediaFile?
    /// The response whose bytes are in the file, without its body; `nil` before the first response.
    private var first: OriginResponse?
    private var mediaKind: MediaKind?
    /// The length of the whole body, in bytes; `nil` if the origin has not announced it.
    private var completeLength: Int?

    // MARK: The last attempt

    var failure: MediaFailure?
    private(set) var report: TransferReport?
    /// The cached failure of the host name; `nil` if the next attempt asks the name servers.
    var rememberedName: RememberedFailure?
    /// Whether the attempt tests a host whose circuit breaker is open.
    private(set) var isProbe = false
    /// The resolved addresses of the host; `nil` if the URL has an address, or if the name is not resolved yet.
    var pin: AddressPin?
    /// The tunnel of the egress proxy; `nil` if the connection is direct.
    var tunnel: Tunnel?
    /// The time that the name resolution took; `nil` if the name was not resolved.
    var dns: Duration?
    var permit: FairHostQueue.Permit?
    /// Whether the attempt shows that the host works; `nil` if the host was not asked, or if the attempt was cancelled.
    var hostSucceeded: Bool?

    /// Creates a fetch that has not begun.
    init(_ request: OriginRequest, to url: ValidatedURL, for context: FetchContext) {
        self.request = request
        self.url = url
        self.context = context
    }

    /// Discards the results of the last attempt.
    func beginAttempt(isProbe: Bool) {
        (report, failure, rememberedName, self.isProbe) = (nil, nil, nil, isProbe)
        (pin, tunnel, dns, permit, hostSucceeded) = (nil, nil, nil, nil, nil)
    }

    /// Whether the request is sent once for another program, which gets any response and an incomplete body too.
    var isForwarded: Bool { if case .raw = context.bodyMode { true } else { isMessage } }

    /// Whether the request is a message to another program, of which only the status of the answer matters.
    private var isMessage: Bool { if case .answer = context.bodyMode { true } else { false } }

    /// The validated addresses of the host; empty if a proxy resolves its name.
    var addresses: [IPAddress] { url.address.map { [$0] } ?? pin?.addresses ?? [] }

    /// Whether all addresses of the host are loopback addresses.
    var isOnLoopback: Bool {
        tunnel == nil && !addresses.isEmpty && addresses.allSatisfy { $0.text.hasPrefix("127.") || $0.text == "::1" }
    }

    /// The file that the next attempt continues; `nil` if the attempt starts a new file.
    var begunFile: MediaFile? { offset > 0 ? file : nil }

    var bodyMode: TransferRequest.BodyMode {
        // The response to HEAD has no body, even if its headers announce one.
        if isForwarded { return request.method == .head ? .raw(.max) : context.bodyMode }
        if offset > 0 { return .resume(from: offset, as: mediaKind, of: validator, length: completeLength) }
        return context.bodyMode == .media && isOfPart ? .range : context.bodyMode
    }

    private var isOfPart: Bool { request.fields.contains(.range) }

    /// The header fields of the next attempt, each as `Name: value`.
    var fieldLines: [String] {
        if isForwarded { return request.lines }
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
        failure = report.failure
        hostSucceeded = succeeded(report)
        if report.isUnreadable, !isForwarded || isMessage { isLenient = true }
        guard let head = report.head else { return }
        // The rest of a body belongs to the headers of the response that began the body. A response without a body does
        // not replace them.
        if offset == 0 || (report.isWanted && head.status != 206) {
            first = OriginResponse(head: head, requestTime: report.requestTime, responseTime: report.responseTime)
            completeLength = report.completeLength
        }
        mediaKind = report.mediaKind
    }

    /// The validator for a range request: a strong `ETag` (RFC 9110 §13.1.5); `nil` if no validator has arrived.
    private var validator: String? {
        guard let tag = first?.head.value(of: .eTag), tag.hasPrefix("\"") else { return nil }
        return tag
    }

    /// Returns whether an attempt shows that the host works. The result is `nil` if the host was not asked, if the
    /// attempt was cancelled, or if the response shows nothing about the host.
    private func succeeded(_ report: TransferReport) -> Bool? {
        guard report.isBegun else { return nil }
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

    var attempt: RetryPolicy.Attempt {
        var attempt = RetryPolicy.Attempt(number: number, reason: failure?.reason, status: report?.head?.status)
        if isBeginningKept { attempt.resumableBytes = offset }
        attempt.nameCooldown = rememberedName?.cooldown ?? .zero
        guard let report else { return attempt }
        attempt.retryAfter = report.head?.retryAfter(at: report.responseTime)
        let timing = report.timing
        attempt.timeToFirstByte = timing.wait.map { $0 + (timing.connect ?? .zero) + (timing.tls ?? .zero) }
        attempt.timeOfBody = timing.body
        attempt.bodyBytes = report.byteCount - offset
        attempt.completeLength = report.completeLength
        if report.isResumable, !report.hasWrongRange, !isOfPart, validator != nil {
            attempt.resumableBytes = report.byteCount
        }
        attempt.isFlooded =
            report.isFlooded && !report.isOverKeptConnection && timing.protocolName?.hasPrefix("http/1") == true
        if isPartRefused { attempt.reason = .truncated }
        // The status of a proxy's refusal has the same effect as a status of the origin.
        if let status = report.proxyFailure?.status { (attempt.reason, attempt.status) = (.httpStatus, status) }
        return attempt
    }

    /// Whether the bytes of earlier attempts remain valid and the last attempt added no bytes. Such an attempt has no
    /// response, or the response of an origin with a temporary problem.
    private var isBeginningKept: Bool {
        guard offset > 0, file != nil, first != nil else { return false }
        guard let report, let status = report.head?.status else { return true }
        return !report.isWanted && TemporaryStatus.contains(status)
    }

    /// Whether the origin refused to send the rest of the body, or sent something else: another status than a passing
    /// failure or a redirect, another part, or an encoded one. The next attempt requests the whole body. Signed URLs and
    /// caches of CDNs refuse ranges of files that they send whole.
    private var isPartRefused: Bool {
        guard offset > 0, let report, let status = report.head?.status else { return false }
        if report.isWanted { return failure?.reason == .unsupportedMedia }
        return !(300...399).contains(status) && !TemporaryStatus.contains(status)
    }

    /// The response of the origin with all or a part of its body, or the failure if nothing usable has arrived.
    var result: Result<OriginResponse, MediaFailure> {
        if isMessage, let report, let head = report.head {
            let body = ResponseBody(file: report.file, bytes: 0..<report.byteCount)
            return .success(
                OriginResponse(
                    head: head, body: body, requestTime: report.requestTime, responseTime: report.responseTime))
        }
        guard let report, let first, let head = report.head else {
            let lost = failure ?? MediaFailure(.connectionLost, "there was no response")
            return isBeginningKept ? beginning(lost) : .failure(lost)
        }
        if isPartRefused {
            let detail =
                head.status < 400
                ? "the origin sent another part than the requested one"
                : "the origin answered \(head.status) to the request for the rest of the file"
            return .failure(failure ?? MediaFailure(.truncated, detail))
        }
        guard report.isWanted, let file else {
            // A body that was lost before its first byte must not be reported as an empty body.
            if report.isWanted, let failure { return .failure(failure) }
            return .success(
                OriginResponse(
                    head: head, failure: failure, requestTime: report.requestTime, responseTime: report.responseTime))
        }
        // An incomplete body is kept only if its rest can be requested, or if the request is forwarded.
        if let failure, attempt.resumableBytes == 0, !isForwardable(failure) { return .failure(failure) }
        var response = first
        if !report.isResumable, !isForwarded {
            // The file has the decoded bytes, but these two fields describe the encoded bytes.
            response.head.fields[.contentEncoding] = nil
            response.head.fields[.contentLength] = nil
        }
        response.body = ResponseBody(file: file, bytes: 0..<report.byteCount, checksum: report.checksum)
        response.failure = failure
        response.codingFault = report.codingFault
        return .success(response)
    }

    /// The result after the last waiter has left. The received part of a long body is kept, so that the next fetch
    /// requests only the rest. A short body is not kept.
    var abandoned: Result<OriginResponse, MediaFailure> {
        if isMessage { return result }
        guard !isForwarded, attempt.resumableBytes >= Self.minKept else { return .failure(.cancelled) }
        return isBeginningKept ? beginning(.cancelled) : result
    }

    /// Returns the response with the bytes of earlier attempts.
    private func beginning(_ failure: MediaFailure) -> Result<OriginResponse, MediaFailure> {
        guard var response = first, let file else { return .failure(failure) }
        response.body = ResponseBody(file: file, bytes: 0..<offset)
        response.failure = failure
        return .success(response)
    }

    /// Returns whether the received part of a forwarded response is used despite a failure.
    private func isForwardable(_ failure: MediaFailure) -> Bool {
        guard isForwarded, let report, report.byteCount > 0 else { return false }
        return [.truncated, .connectionLost, .budgetExceeded].contains(failure.reason)
    }
}

extension ResponseHead {
    /// Whether the status means a failure of the host: 5xx and 429. Other statuses from 400 concern only the URL.
    var isFailureOfHost: Bool { status >= 500 || status == 429 }

    /// Returns the pause that `Retry-After` asks for, in seconds or until a date (RFC 9110 §10.2.3); `nil` if the field is
    /// missing or malformed.
    package func retryAfter(at now: Date) -> Duration? {
        guard let text = value(of: .retryAfter) else { return nil }
        // Some servers send decimals, and numbers beyond any integer.
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }), let seconds = Double(text) {
            return .seconds(min(seconds, 86_400))
        }
        return HTTPDate.read(text, now: now).map { .seconds(max(0, $0.timeIntervalSince(now))) }
    }
}

extension OriginRequest {
    /// The header fields, and no others, in the form of libcurl (CURLOPT_HTTPHEADER). A line is `Name: value`, `Name;`
    /// for an empty value, or `Name:` for a default field of libcurl that must not be sent.
    fileprivate var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for name in [HTTPField.Name.accept, .contentType, .expect] where !fields.contains(name) {
            lines.append("\(name):")
        }
        // Without `Content-Length: 0`, an origin may wait for a body (RFC 9110 §8.6).
        if body.isEmpty, [.post, .put, .patch].contains(method) { lines.append("Content-Length: 0") }
        return lines
    }
}
