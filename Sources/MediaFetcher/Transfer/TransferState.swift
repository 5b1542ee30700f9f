import MediaHeaders
import NotificationModel

/// The events of one transfer so far, and the decisions that follow from them: pure, without libcurl or clocks of its own.
///
/// Events come in the order of the wire. The first failure counts; later events change nothing.
struct TransferState {
    /// The kind of a line, for a caller that waits for the whole head.
    enum HeadLine: Equatable {
        case abort
        case status
        case field
        /// The head is complete.
        case end
        /// It stands behind the body, and is no part of the head.
        case trailer
    }

    enum Verdict: Equatable {
        case proceed
        case abort
    }

    private(set) var pace: StallDetector
    private(set) var failure: MediaFailure?
    /// Bytes of the body that are in the file, those of earlier tries included.
    private(set) var byteCount: Int
    /// Nothing more is wanted, and the transfer was ended for it.
    private(set) var isSatisfied = false
    private(set) var head: ResponseInfo?
    /// Whether there is one: to look at that itself is to copy it.
    private(set) var isAnswered = false
    /// The lines of fields of the head that is arriving, until it is complete.
    private(set) var headLines: [UInt8] = []
    /// The end of each line in `headLines`.
    private(set) var headLineEnds: [Int] = []
    private var isInHead = false
    /// The answer's body goes into the file, in the place of what is there or behind it.
    private(set) var isWanted = false
    /// By the first bytes.
    private(set) var mediaClass: MediaClass?
    private(set) var headByteCount = 0
    private var headLineCount = 0
    /// As long as there is not enough of the body to know what it is.
    private var prefix: [UInt8] = []
    private let limits: FetchLimits
    private let bodyMode: TransferRequest.BodyMode

    init(
        bodyMode: TransferRequest.BodyMode = .media, limits: FetchLimits, startedAt instant: MonotonicInstant
    ) {
        self.bodyMode = bodyMode
        self.limits = limits
        pace = StallDetector(limits, startedAt: instant)
        if case .resume(let offset, let mediaClass, _, _) = bodyMode {
            byteCount = offset
            self.mediaClass = mediaClass
        } else {
            byteCount = 0
        }
    }

    /// It has begun to stand still.
    mutating func isStalled(at now: MonotonicInstant) -> Bool { pace.isStalled(at: now) }

    /// Something of an answer has come; whether it stood still before.
    mutating func resumed() -> Bool { pace.resumed() }

    mutating func connecting(at instant: MonotonicInstant) { pace.move(at: instant) }

    mutating func requesting(at instant: MonotonicInstant) { pace.move(to: .waiting, at: instant) }

    mutating func refuse(_ failure: MediaFailure) {
        if self.failure == nil { self.failure = failure }
    }

    /// A line of a head has arrived, with its end. Interim answers come before, each with a status line of its own.
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
        // The first line and no other: a field may be called as a status line begins, and would hide those before it.
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

    /// The head of an answer is complete.
    mutating func received(_ head: ResponseInfo, at instant: MonotonicInstant) -> Verdict {
        // Interim answers: the real one follows. Nobody asked to switch protocols.
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
        case .raw: isWanted = true
        case .media: isWanted = head.hasMedium || head.isWholeRange
        case .range: isWanted = head.hasMedium || head.status == 206
        case .tail(let offset, let version):
            isWanted = head.status == 206 && head.rangeStart == offset && head.isOf(version)
        case .resume(let offset, _, let tag, let length):
            // A part from elsewhere, or of what has taken its place, is nobody's; the whole replaces what there is.
            isWanted =
                head.status == 206
                ? head.rangeStart == offset && head.isOf(tag) && head.isOf(length) : head.hasMedium
            if isWanted, head.status != 206 { (byteCount, mediaClass) = (0, nil) }
        }
        return isWanted ? accept(head) : decline(head)
    }

    private mutating func accept(_ head: ResponseInfo) -> Verdict {
        // libcurl undoes these, asked for or not.
        guard head.transferCodings.isEmpty else {
            return abort(MediaFailure(.unsupportedMedia, "the origin used a transfer encoding that was not requested"))
        }
        // Encodings inside each other inflate twice: a few kilobytes would keep the decoder busy for minutes without
        // a byte to count.
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
        // A 304 announces what a 200 would bring.
        let announced = head.status == 304 ? 0 : max(head.declaredBytes ?? 0, head.completeLength ?? 0)
        if announced > largest {
            return abort(
                MediaFailure(.tooLarge, "the origin announces \(announced) bytes; at most \(largest) are accepted"))
        }
        return .proceed
    }

    /// A body would only be waited for; without one the connection serves again.
    private mutating func decline(_ head: ResponseInfo) -> Verdict {
        if head.declaredBytes == 0 || head.status == 304 { return .proceed }
        isSatisfied = true
        return .abort
    }

    /// Decoded bytes of the body have arrived.
    mutating func received(_ bytes: some Collection<UInt8>, at instant: MonotonicInstant) -> Verdict {
        pace.move(at: instant)
        guard failure == nil, !isSatisfied else { return .abort }
        guard isWanted else {
            isSatisfied = true
            return .abort
        }
        if mediaClass == nil, byteCount == prefix.count {
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
            let known = bytes.withContiguousStorageIfAvailable { unsafe MediaSignature.of($0.span)?.mediaClass }
            if let known = known.flatMap(\.self) {
                mediaClass = known
                return
            }
        }
        prefix += bytes.prefix(missing)
        mediaClass = MediaSignature.of(prefix.span)?.mediaClass
        if mediaClass != nil { prefix = [] }
    }

    /// Why a body is not read any further whose first bytes are those of no media. Endless pages and the like would hold
    /// their connection and the budget.
    private mutating func refusalByPrefix() -> MediaFailure? {
        guard prefix.count >= MediaSignature.wantedBytes else { return nil }
        defer { prefix = [] }
        guard case .media = bodyMode, !MediaSignature.mayBeginLater(prefix.span) else { return nil }
        return MediaFailure(
            .unsupportedMedia, MediaSignature.refusal(of: prefix.span, declaredType: head?.declaredType),
            sourceType: MediaSignature.of(prefix.span)?.mimeType)
    }

    /// The body ends here, whatever its connection does.
    mutating func satisfy() { isSatisfied = true }

    /// All that the answer announced has come, and it is not all of the rest that was asked for.
    var isCutShort: Bool {
        guard case .resume(_, _, _, let length) = bodyMode, isWanted, head?.status == 206,
            let whole = length ?? head?.completeLength
        else { return false }
        return byteCount < whole
    }

    private var largest: Int {
        if case .raw(let most) = bodyMode { most } else { limits.largest }
    }

    private var cap: Int {
        if case .raw(let most) = bodyMode { most } else { limits.cap(of: mediaClass) }
    }

    private mutating func abort(_ failure: MediaFailure) -> Verdict {
        refuse(failure)
        return .abort
    }
}

extension TransferRequest.BodyMode {
    /// The bytes count, so that they must not be encoded on the way.
    fileprivate var isOfBytes: Bool {
        switch self {
        case .resume, .range, .tail: true
        case .media, .raw: false
        }
    }
}

extension ResponseInfo {
    /// No content, reset, and a part that nobody asked for are successes without the medium.
    fileprivate var hasMedium: Bool { (200...299).contains(status) && ![204, 205, 206].contains(status) }

    /// Some origins leave the tag out of a part; one that they name is the representation's (RFC 9110 §15.3.7.3).
    fileprivate func isOf(_ tag: String?) -> Bool { tag == nil || entityTag == nil || tag == entityTag }

    /// A part that names no validator may be of any version. Its length decides then.
    fileprivate func isOf(_ version: ArrivingMedia.Version) -> Bool {
        guard isOf(version.completeLength) else { return false }
        guard let validator = version.validator else { return true }
        return validator.hasPrefix("\"") ? isOf(validator) : lastModified == nil || lastModified == validator
    }

    /// A part of something longer or shorter is another's, whatever its tag.
    fileprivate func isOf(_ length: Int?) -> Bool {
        length == nil || completeLength == nil || length == completeLength
    }
}
