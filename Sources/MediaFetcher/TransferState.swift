import MediaHeaders
import NotificationModel

/// What one transfer has seen so far and what follows from it: pure, without libcurl or clocks of its own.
///
/// Events come in the order of the wire. The first failure counts; later events change nothing.
struct TransferState {
    enum Phase: Equatable {
        case resolving
        case connecting
        case waiting
        case receiving
    }

    enum Verdict: Equatable {
        case proceed
        case abort
    }

    private(set) var phase = Phase.resolving
    private(set) var failure: MediaFailure?
    private(set) var byteCount = 0
    /// Where a redirect goes, as the origin writes it.
    private(set) var redirectTarget: String?
    /// When something last moved: what the idle and first-byte limits count from.
    private(set) var lastActivity: ContinuousClock.Instant
    private var status = 0
    private var prefix: [UInt8] = []
    private var signature: MediaSignature?
    private let limits: FetchLimits

    init(limits: FetchLimits, startedAt instant: ContinuousClock.Instant) {
        self.limits = limits
        lastActivity = instant
    }

    /// A successful answer's body is the medium; any other's is passed over.
    var isWanted: Bool { (200...299).contains(status) }
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    mutating func connecting(at instant: ContinuousClock.Instant) {
        if phase == .resolving { phase = .connecting }
        lastActivity = instant
    }

    mutating func requesting(at instant: ContinuousClock.Instant) {
        phase = .waiting
        lastActivity = instant
    }

    mutating func refuse(_ failure: MediaFailure) {
        if self.failure == nil { self.failure = failure }
    }

    /// The head of an answer is complete.
    mutating func received(_ head: AnswerHead, at instant: ContinuousClock.Instant) -> Verdict {
        lastActivity = instant
        let status = head.status
        // Interim answers: the real one follows. Nobody asked to switch protocols.
        if (100...199).contains(status), status != 101 { return .proceed }
        phase = .receiving
        self.status = status
        if isRedirect {
            redirectTarget = head.location
            // A body would only be waited for; without one the connection serves the next hop.
            return head.declaredBytes == 0 ? .proceed : .abort
        }
        // No content, reset, and a part that nobody asked for are successes without the medium.
        guard isWanted, ![204, 205, 206].contains(status) else {
            return abort(MediaFailure(.httpStatus, "the origin answered \(status)"))
        }
        // Encodings inside each other inflate twice: a few kilobytes would keep the decoder busy for minutes without
        // a byte to count.
        guard head.contentEncodings.count <= 1 else {
            return abort(MediaFailure(.unsupportedMedia, "the origin encoded the body more than once"))
        }
        if let declaredBytes = head.declaredBytes, declaredBytes > limits.largest {
            return abort(
                MediaFailure(
                    .tooLarge, "the origin announces \(declaredBytes) bytes; at most \(limits.largest) are taken"))
        }
        return .proceed
    }

    /// Decoded bytes of the body have arrived.
    mutating func received(_ bytes: some Collection<UInt8>, at instant: ContinuousClock.Instant) -> Verdict {
        lastActivity = instant
        guard failure == nil else { return .abort }
        byteCount += bytes.count
        guard isWanted else { return .abort }
        if signature == nil, prefix.count < MediaSignature.wantedBytes {
            prefix += bytes.prefix(MediaSignature.wantedBytes - prefix.count)
            signature = MediaSignature.of(prefix.span)
        }
        let cap = limits.cap(of: signature?.mediaClass)
        guard byteCount <= cap else { return abort(MediaFailure(.tooLarge, "more than \(cap) bytes arrive")) }
        return .proceed
    }

    /// How long the present phase may still last. Resolving and connecting have libcurl's own limit; a look after the
    /// shortest limit of all is never too late for the phase that follows them.
    var phaseEnd: ContinuousClock.Instant {
        switch phase {
        case .resolving, .connecting: lastActivity.advanced(by: min(limits.firstByte, limits.idle))
        case .waiting: lastActivity.advanced(by: limits.firstByte)
        case .receiving: lastActivity.advanced(by: limits.idle)
        }
    }

    /// Whether the origin has stood still for longer than its phase may last.
    func isOverdue(at now: ContinuousClock.Instant) -> Bool {
        switch phase {
        case .resolving, .connecting: false
        case .waiting, .receiving: now >= phaseEnd
        }
    }

    private mutating func abort(_ failure: MediaFailure) -> Verdict {
        refuse(failure)
        return .abort
    }
}

extension FetchLimits {
    fileprivate var largest: Int { max(pictureBytes, soundBytes, videoBytes) }

    fileprivate func cap(of mediaClass: MediaClass?) -> Int {
        switch mediaClass {
        case .picture: pictureBytes
        case .sound: soundBytes
        case .video: videoBytes
        case nil: largest
        }
    }
}
