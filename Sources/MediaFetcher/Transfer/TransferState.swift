import Base
import MediaHeaders
import NotificationModel

/// The state machine of one transfer, without libcurl and without a clock. The state machine takes events and makes
/// decisions.
///
/// Events arrive in the order of the wire. The first failure is kept, and later events do not change it.
struct TransferState {
    /// The kind of a header line.
    enum HeadLine: Equatable {
        case abort
        case status
        case field
        /// The headers are complete.
        case end
        /// The line follows the body, and is not part of the headers.
        case trailer
    }

    enum Verdict: Equatable {
        case proceed
        case abort
    }

    var pace: StallDetector
    private(set) var failure: MediaFailure?
    /// The number of body bytes in the file, including those of earlier attempts.
    private(set) var byteCount: Int
    /// Whether the transfer was ended because no further bytes are needed.
    private(set) var isSatisfied = false
    private(set) var head: ResponseInfo?
    /// Whether `head` is set. A read of `head` itself would copy it.
    private(set) var isAnswered = false
    /// The header lines of the response that is arriving; empty after its headers are complete.
    private(set) var headLines: [UInt8] = []
    /// The end of each line in `headLines`.
    private(set) var headLineEnds: [Int] = []
    private var isInHead = false
    /// Whether the body is written to the file, in place of the file's bytes or after them.
    private(set) var isWanted = false
    /// The class of the media item, as its first bytes show; `nil` until it is known.
    private(set) var mediaKind: MediaKind?
    private(set) var headByteCount = 0
    private var headLineCount = 0
    /// The first bytes of the body, until its class is known.
    private var prefix: [UInt8] = []
    private let limits: FetchLimits
    private let bodyMode: TransferRequest.BodyMode

    init(bodyMode: TransferRequest.BodyMode = .media, limits: FetchLimits, startedAt instant: MonotonicInstant) {
        self.bodyMode = bodyMode
        self.limits = limits
        pace = StallDetector(limits, startedAt: instant)
        if case .resume(let offset, let mediaKind, _, _) = bodyMode {
            byteCount = offset
            self.mediaKind = mediaKind
        } else {
            byteCount = 0
        }
    }

    mutating func refuse(_ failure: MediaFailure) {
        if self.failure == nil { self.failure = failure }
    }

    /// Takes a header line with its line end. Interim and final responses have their own status lines.
    mutating func receivedHead(_ line: UnsafeRawBufferPointer) -> HeadLine {
        headByteCount += line.count
        headLineCount += 1
        if headByteCount > limits.headBytes {
            refuse(MediaFailure(.tooLarge, "the headers of the response have more than \(limits.headBytes) bytes"))
            return .abort
        }
        if headLineCount > limits.headLines {
            refuse(MediaFailure(.tooLarge, "the headers of the response have more than \(limits.headLines) lines"))
            return .abort
        }
        if isAnswered { return .trailer }
        guard let first = unsafe line.first, first != UInt8(ascii: "\r"), first != UInt8(ascii: "\n") else {
            isInHead = false
            return .end
        }
        // Only the first line is a status line. A field may have a name like the beginning of a status line, and would
        // then hide the fields before it.
        guard isInHead else {
            isInHead = true
            headLines.removeAll(keepingCapacity: true)
            headLineEnds.removeAll(keepingCapacity: true)
            return .status
        }
        if headLines.isEmpty {
            headLines.reserveCapacity(512)
            headLineEnds.reserveCapacity(16)
        }
        unsafe headLines.append(contentsOf: line)
        headLineEnds.append(headLines.count)
        return .field
    }

    /// Takes the complete headers of a response, and decides whether its body is accepted.
    mutating func received(_ head: ResponseInfo, at instant: MonotonicInstant) -> Verdict {
        // The final response follows an interim response. A 101 is not interim, because no request asked to switch
        // protocols.
        let isInterim = (100...199).contains(head.status) && head.status != 101
        pace.move(to: isInterim ? nil : .receiving, at: instant)
        if isInterim { return .proceed }
        self.head = head
        isAnswered = true
        headLines = []
        headLineEnds = []
        guard head.status != 101 else {
            return abort(MediaFailure(.httpStatus, "the origin answered 101, which was not requested"))
        }
        switch bodyMode {
        case .raw, .answer: isWanted = true
        case .media: isWanted = head.hasItem || head.isWholeRange
        case .range: isWanted = head.hasItem || head.status == 206
        case .tail(let offset, let version):
            isWanted = head.status == 206 && head.rangeStart == offset && head.isOf(version)
        case .resume(let offset, _, let tag, let length):
            // A 206 from another position or of another version is refused. A whole body replaces the bytes in the
            // file.
            isWanted =
                head.status == 206
                ? head.rangeStart == offset && head.isOf(tag) && head.isOf(length) : head.hasItem
            if isWanted, head.status != 206 { (byteCount, mediaKind) = (0, nil) }
        }
        return isWanted ? accept(head) : decline(head)
    }

    private mutating func accept(_ head: ResponseInfo) -> Verdict {
        // The body of an answer has no effect.
        if case .answer = bodyMode { return .proceed }
        // libcurl undoes transfer encodings, even if they were not requested.
        guard head.transferCodings.isEmpty else {
            return abort(MediaFailure(.unsupportedMedia, "the origin used a transfer encoding that was not requested"))
        }
        // Nested encodings multiply the work: a few kilobytes could occupy the decoder for minutes without any output
        // that counts towards a limit.
        if case .raw = bodyMode {
        } else if head.contentEncodings.count > 1 {
            return abort(MediaFailure(.unsupportedMedia, "the origin encoded the body more than once"))
        } else if head.hasUnrequestedEncoding {
            return abort(MediaFailure(.unsupportedMedia, "the origin used a content encoding that was not requested"))
        }
        if bodyMode.isOfBytes, !head.contentEncodings.isEmpty {
            return abort(
                MediaFailure(.unsupportedMedia, "the origin encoded a part of a body, which was not requested"))
        }
        // A 304 announces the length that a 200 would have.
        let announced = head.status == 304 ? 0 : max(head.declaredBytes ?? 0, head.completeLength ?? 0)
        if announced > largest {
            return abort(
                MediaFailure(.tooLarge, "the origin announces \(announced) bytes; at most \(largest) are accepted"))
        }
        return .proceed
    }

    /// Ends a transfer whose body is not accepted. If it has no body, the connection can be reused.
    private mutating func decline(_ head: ResponseInfo) -> Verdict {
        if head.declaredBytes == 0 || head.status == 304 { return .proceed }
        isSatisfied = true
        return .abort
    }

    /// Takes decoded bytes of the body.
    mutating func received(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) -> Verdict {
        pace.move(at: instant)
        guard failure == nil, !isSatisfied else { return .abort }
        guard isWanted else {
            isSatisfied = true
            return .abort
        }
        if case .answer(let most) = bodyMode, byteCount + bytes.count > most {
            isSatisfied = true
            return .abort
        }
        if mediaKind == nil, byteCount == prefix.count {
            look(at: bytes)
            if let refusal = refusalByPrefix() { return abort(refusal) }
        }
        byteCount += bytes.count
        guard byteCount <= cap else { return abort(MediaFailure(.tooLarge, "the origin sends more than \(cap) bytes")) }
        return .proceed
    }

    private mutating func look(at bytes: some Collection<UInt8>) {
        let missing = MediaSignature.wantedBytes - prefix.count
        if prefix.isEmpty, bytes.count >= missing {
            let known = bytes.withContiguousStorageIfAvailable { unsafe MediaSignature.of($0.span)?.sampledKind }
            if let known = known.flatMap(\.self) {
                mediaKind = known
                return
            }
        }
        prefix += bytes.prefix(missing)
        mediaKind = MediaSignature.of(prefix.span)?.sampledKind
        if mediaKind != nil { prefix = [] }
    }

    /// Returns the refusal of a body whose first bytes are not of a media item; `nil` if the body may be a media item.
    /// An endless page would otherwise occupy its connection and use up the budget.
    private mutating func refusalByPrefix() -> MediaFailure? {
        guard prefix.count >= MediaSignature.wantedBytes else { return nil }
        defer { prefix = [] }
        guard case .media = bodyMode, !MediaSignature.mayBeginLater(prefix.span) else { return nil }
        return MediaFailure(
            .unsupportedMedia, MediaSignature.refusal(of: prefix.span, declaredType: head?.declaredType),
            sourceType: MediaSignature.of(prefix.span)?.reportedMIMEType)
    }

    /// Ends the body here, even if the connection stays open.
    mutating func satisfy() { isSatisfied = true }

    /// Whether all announced bytes of a rest have arrived, although the file has another length than the whole media item.
    var hasOtherLength: Bool {
        guard case .resume(_, _, _, let length) = bodyMode, isWanted, head?.status == 206,
            let whole = length ?? head?.completeLength
        else { return false }
        return byteCount != whole
    }

    /// Whether the bytes that have arrived are not those that the `Content-Range` names. A server may send a shorter range
    /// than the requested one (RFC 9110 §15.3.7).
    var hasWrongRange: Bool { head?.rangeEnd != byteCount }

    private var largest: Int {
        if case .raw(let most) = bodyMode { most } else { limits.largest }
    }

    private var cap: Int {
        switch bodyMode {
        case .raw(let most), .answer(let most): most
        default: limits.cap(of: mediaKind)
        }
    }

    private mutating func abort(_ failure: MediaFailure) -> Verdict {
        refuse(failure)
        return .abort
    }
}

extension TransferRequest.BodyMode {
    /// Whether the positions of the bytes matter, so that the body must not be encoded.
    fileprivate var isOfBytes: Bool {
        switch self {
        case .resume, .range, .tail: true
        case .media, .raw, .answer: false
        }
    }
}

extension ResponseInfo {
    /// Whether the response contains the media item. A response without content (204, 205) and an unrequested partial
    /// response are successes without a media item.
    fileprivate var hasItem: Bool { (200...299).contains(status) && ![204, 205, 206].contains(status) }

    /// Returns whether a partial response can have the entity tag, which some origins omit (RFC 9110 §15.3.7.3).
    fileprivate func isOf(_ tag: String?) -> Bool { tag == nil || entityTag == nil || tag == entityTag }

    /// Returns whether a partial response can belong to the version, by its validator if it has one, and by its length.
    fileprivate func isOf(_ version: ArrivingMedia.Version) -> Bool {
        guard isOf(version.completeLength) else { return false }
        guard let validator = version.validator else { return true }
        return validator.hasPrefix("\"") ? isOf(validator) : lastModified == nil || lastModified == validator
    }

    /// Returns whether a partial response can belong to a representation with this length. A different length means
    /// another version, even with the same tag.
    fileprivate func isOf(_ length: Int?) -> Bool { length == nil || completeLength == nil || length == completeLength }
}
