import CCurl
import FoundationEssentials
import Glibc
import HTTPCaching
import LinuxIO
import NotificationModel

/// A transfer in progress. Lives on the engine's thread; libcurl's callbacks reach it there.
final class Transfer {
    typealias RunID = UInt64

    /// What it belongs to.
    let run: RunID
    let easy: CurlEasy
    private let request: TransferRequest
    private let headers: CurlList
    private let pins: CurlList
    private(set) var state: TransferState
    private var timing: TransferTiming
    private let start = ContinuousClock.now
    private var requestTime: Date?
    private var responseTime: Date?
    private var head: ResponseHead?
    private var file: MediaFile?
    private(set) var isStandingStill = false

    init(
        _ request: TransferRequest, of run: RunID, share: borrowing CurlShare, userAgent: String
    ) throws(MediaFailure) {
        guard let easy = CurlEasy() else { throw MediaFailure(.internal, "out of memory for a transfer") }
        self.easy = easy
        self.run = run
        self.request = request
        file = request.file
        headers = CurlList(request.headers)
        pins = CurlList(request.pin.map { [$0.text] } ?? [])
        state = TransferState(appetite: request.appetite, limits: request.limits, startedAt: start)
        timing = TransferTiming(origin: "")
        request.trace.enter(.connect)
        do { try configure(share: share, userAgent: userAgent) } catch {
            throw MediaFailure(.internal, "libcurl refuses an option: \(error.code.words)")
        }
    }

    private func configure(share: borrowing CurlShare, userAgent: String) throws(CurlFault) {
        try easy.set(CURLOPT_URL, request.url)
        try easy.set(CURLOPT_USERAGENT, userAgent)
        if let caFile = request.caFile { try easy.set(CURLOPT_CAINFO, caFile) }
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
        } else {
            if !request.body.isEmpty { try easy.setBody(request.body) }
            // Else a GET with a body would be a POST.
            if request.method != "GET" || !request.body.isEmpty {
                try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
            }
        }
        if !request.headers.isEmpty { try easy.set(CURLOPT_HTTPHEADER, headers) }
        if request.pin != nil { try easy.set(CURLOPT_RESOLVE, pins) }
        try easy.use(share)
        // Nothing but plain fetching: no other schemes, no proxy of the environment, no signals, no old protocol.
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_PROXY, "")
        try easy.set(CURLOPT_NOSIGNAL, 1)
        try easy.set(CURLOPT_HTTP09_ALLOWED, 0)
        try easy.set(CURLOPT_FOLLOWLOCATION, 0)
        if request.appetite.isDecoded {
            // Every encoding that this libcurl decodes: some origins compress without being asked.
            try easy.set(CURLOPT_ACCEPT_ENCODING, "")
        }
        try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        switch request.connection {
        case .any: break
        // Only where many are carried: with HTTP/1.1, libcurl 7.88 leaves those that wait until a transfer ends.
        case .shared: try easy.set(CURLOPT_PIPEWAIT, 1)
        case .own: try easy.set(CURLOPT_FRESH_CONNECT, 1)
        }
        // With HTTP/2 each reading wakes every transfer of the connection: the more it brings, the better. A connection
        // of its own is as quick with less, and many of them need much less memory.
        try easy.set(CURLOPT_BUFFERSIZE, request.isAlone ? 32_768 : 102_400)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.limits.connect.milliseconds)))
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let handle = unsafe easy.handle
        try CurlFault.check(unsafe agd_easy_set_pointer(handle, CURLOPT_PRIVATE, context))
        try CurlFault.check(unsafe agd_easy_set_write(handle, receiveBody, context))
        try CurlFault.check(unsafe agd_easy_set_header(handle, receiveHeader, context))
        try CurlFault.check(unsafe agd_easy_set_open_socket(handle, openSocket, context))
        try CurlFault.check(unsafe agd_easy_set_prerequest(handle, beforeRequest, context))
        try CurlFault.check(unsafe agd_easy_set_resolver_start(handle, resolverStarts, context))
    }

    // MARK: Events, from the callbacks

    /// libcurl is about to look a host up. It has what it needs for every name; only addresses go through here.
    var mayResolve: Bool {
        guard request.pin != nil else { return true }
        state.refuse(MediaFailure(.dnsFailed, "the host's addresses were forgotten before they were connected to"))
        return false
    }

    /// The system has no socket for it.
    func hasNoSocket(_ error: SystemError) {
        state.refuse(MediaFailure(.overloaded, "no socket can be opened: \(error.reason)"))
    }

    /// Whether a connection to the address may be opened.
    func mayConnect(to address: IPAddress?, port: UInt16) -> Bool {
        state.connecting(at: .now)
        return judge(address, port: port)
    }

    /// Whether the request may be sent over the connection, which may be an older one.
    func mayRequest(to address: IPAddress?, port: UInt16) -> Bool {
        let now = ContinuousClock.now
        let connected = easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        if state.phase == .connecting, connected > 0, secured > connected {
            request.trace.enter(.tls, at: now.advanced(by: .microseconds(connected - secured)))
        }
        request.trace.enter(.wait, at: now)
        tellRunning(at: now)
        state.requesting(at: now)
        requestTime = .now
        request.movement?(.connected)
        return judge(address, port: port)
    }

    private func tellRunning(at instant: ContinuousClock.Instant) {
        guard let running = request.running else { return }
        var timing = timing
        timing.note(easy, nil)
        running.requested(over: timing, at: instant)
    }

    private func judge(_ address: IPAddress?, port: UInt16) -> Bool {
        let judgement =
            address.map { request.rule.judge($0, port: port) } ?? .refused("the address is of an unknown family")
        guard case .refused(let why) = judgement else { return true }
        state.refuse(
            MediaFailure(.forbiddenAddress, "\(why); --allow-address lifts the rule for a range of your own"))
        return false
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        if unsafe line.starts(with: Self.statusLine) { request.trace.enter(.body) }
        guard state.receivedHead(line.count) == .proceed else { return .abort }
        guard unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n") else { return .proceed }
        let head = easy.responseHead
        let length = easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        let verdict = state.received(AnswerHead(head, declaredBytes: length >= 0 ? length : nil), at: movedNow())
        guard state.head != nil else { return verdict }
        request.running?.answered(head.status, easy.protocolName, at: .now)
        self.head = head
        responseTime = .now
        // All of it comes again: what is there of an earlier try may be longer.
        guard case .rest = request.appetite, state.isWanted, state.byteCount == 0, let file else { return verdict }
        return empty(file, verdict)
    }

    private func empty(_ file: MediaFile, _ verdict: TransferState.Verdict) -> TransferState.Verdict {
        do throws(SystemError) {
            try FileSystem.empty(file)
            return verdict
        } catch {
            state.refuse(MediaFailure(.storageFailed, "the download cannot be written: \(error.reason)"))
            return .abort
        }
    }

    private static let statusLine = Array("HTTP/".utf8)

    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let offset = state.byteCount
        let verdict = unsafe state.received(bytes, at: movedNow())
        guard verdict == .proceed, state.isWanted else { return verdict }
        do throws(MediaFailure) { try unsafe write(bytes, at: offset) } catch {
            state.refuse(error)
            return .abort
        }
        request.running?.received(
            wireBytes: max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T)), bodyBytes: state.byteCount)
        request.progress?(FetchProgress.State(receivedBytes: state.byteCount, expectedBytes: expectedBytes))
        return .proceed
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MediaFailure) {
        let target: MediaFile
        if let file { target = file } else { target = try request.makeFile() }
        file = target
        do throws(SystemError) { try unsafe FileSystem.write(bytes, to: target, at: offset) } catch {
            throw MediaFailure(.storageFailed, "the download cannot be written: \(error.reason)")
        }
    }

    private var expectedBytes: Int? {
        guard let head = state.head, head.contentEncodings.isEmpty else { return nil }
        return head.completeLength ?? head.declaredBytes
    }

    private func movedNow() -> ContinuousClock.Instant {
        if isStandingStill {
            isStandingStill = false
            request.movement?(.movesAgain)
        }
        return .now
    }

    // MARK: The end

    /// What came of it, when libcurl is done with it.
    func report(_ code: CURLcode) -> TransferReport {
        if state.failure == nil, !state.isSatisfied, code != CURLE_OK {
            state.refuse(MediaFailure(code, phase: state.phase, isInHandshake: isInHandshake))
        }
        if state.failure == nil, state.isCutShort {
            state.refuse(MediaFailure(.truncated, "the origin sent less than the rest that was asked for"))
        }
        // A connection may close behind the last byte that was announced, and libcurl be content with less.
        if state.failure == nil, state.head == nil { state.refuse(MediaFailure(.connectionLost, "no answer came")) }
        return report(state.failure)
    }

    /// The address is connected to, and TLS is not agreed upon. Until both are, libcurl 7.88 tells no time of either.
    private var isInHandshake: Bool {
        request.url.hasPrefix("https:") && easy.offset(CURLINFO_APPCONNECT_TIME_T) <= 0
            && easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false
    }

    /// What came of it, when it is ended from outside, or by libcurl.
    func report(_ failure: MediaFailure?) -> TransferReport {
        let now = Date.now
        timing.note(easy, failure?.reason)
        timing.bodyBytes = state.byteCount
        return TransferReport(
            failure: failure, head: head, isWanted: state.isWanted, file: file, byteCount: state.byteCount,
            mediaClass: state.mediaClass,
            isResumable: state.isWanted && state.head?.contentEncodings.isEmpty ?? false,
            completeLength: expectedBytes, timing: timing,
            requestTime: requestTime ?? now, responseTime: responseTime ?? now)
    }

    /// When to look next whether it has stopped moving.
    var nextCheck: ContinuousClock.Instant {
        let end = isStandingStill ? state.phaseEnd : min(state.phaseEnd, state.lastActivity + request.limits.patience)
        // Connecting has libcurl's own limit; what follows it must not wait longer than it may.
        let limits = request.limits
        let rest = state.phase == .connecting ? min(limits.firstByte, limits.idle, limits.patience) : .zero
        return max(end, .now + max(rest, .milliseconds(10)))
    }

    /// Why it has taken too long, if it has; tells who is interested when it only stands still.
    func overdue(at now: ContinuousClock.Instant) -> MediaFailure? {
        if !isStandingStill, now >= state.lastActivity + request.limits.patience {
            isStandingStill = true
            request.movement?(.stoodStill)
        }
        guard state.isOverdue(at: now) else { return nil }
        return MediaFailure(
            .budgetExceeded, "the origin stood still \(state.phase.words), past its share of the budget")
    }
}

extension TransferRequest.Appetite {
    fileprivate var isDecoded: Bool { self == .medium }
}

extension TransferState.Phase {
    fileprivate var words: String {
        switch self {
        case .connecting: "while connecting"
        case .waiting: "while waiting for the answer's first byte"
        case .receiving: "while the body was arriving"
        }
    }
}
