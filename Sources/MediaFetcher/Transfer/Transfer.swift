import CCurl
import FoundationEssentials
import Glibc
import HTTPCaching
import LinuxIO
import NotificationModel

/// A transfer in progress. Lives on the engine's thread; libcurl's callbacks reach it there.
final class Transfer {
    /// Bytes of a head, with which a handle is used again.
    private static let mostKeptHead = 8_192

    /// What it belongs to.
    unowned let run: HedgedTransfer
    let easy: CurlEasy
    /// The connection that carries it, or that is being made for it.
    var connection: MeteredConnection? {
        willSet {
            guard newValue !== connection else { return }
            connection?.end(missing: missingBytes)
            newValue?.begin()
        }
    }
    private let request: TransferRequest
    private let headers: CurlList
    private let pins: CurlList
    /// The place that a proxy is asked to connect to.
    private let targets: CurlList
    /// `nil`: the host is connected to directly.
    private var tunnelAnswer: TunnelAnswer?
    /// From the start of the transfer to the tunnel.
    private var tunnelTime: Duration?
    private var state: TransferState
    private var timing: TransferTiming
    private let start = MonotonicInstant.now
    private var requestedAt: MonotonicInstant?
    private var answeredAt: MonotonicInstant?
    private var requestTime: Date?
    private var responseTime: Date?
    private var head: ResponseHead?
    private var file: MediaFile?
    /// libcurl works on it: from then on what it tells is of this transfer, and not of the one before.
    private var hasBegun = false
    /// The request may be on its way: of the connection all is known.
    private var isConnected = false
    /// A socket was opened for it, and has not carried the request yet.
    private var isConnecting = false
    /// libcurl has sent the request again over another connection, as the first one ended before an answer came.
    private var isSentAgain = false
    /// libcurl is done with it.
    private var isDone = false
    /// libcurl has read the whole response.
    private var isComplete = false
    /// Bytes of the body so far, as they are on the wire.
    private var wireBytes = 0
    /// Bytes of the body so far, before they are decoded.
    private var encodedBytes = 0
    /// `nil`: the body is as it is.
    private var decoder: BodyDecoder?
    /// `nil`: libcurl reads the response.
    private var lenient: LenientResponse?
    /// The origin sent a response whose head libcurl does not read.
    private var isUnreadable = false
    /// Whether the connection was flooded when the transfer left it.
    private var isFlooded = false

    init(_ request: TransferRequest, of run: HedgedTransfer, _ handles: EasyHandlePool) throws(MediaFailure) {
        do throws(CurlError) {
            easy = try handles.take(request.easyKind)
        } catch {
            throw MediaFailure(.internal, "libcurl gives no handle: \(error.code.words)")
        }
        self.run = run
        self.request = request
        file = request.file
        timing = request.timing
        headers = CurlList(request.headers)
        pins = CurlList(request.pin.map { [$0.text] } ?? [])
        targets = CurlList(request.tunnel?.connectTo ?? [])
        tunnelAnswer = request.tunnel.map { TunnelAnswer($0) }
        state = TransferState(bodyMode: request.bodyMode, limits: request.limits, startedAt: start)
        lenient = request.isLenient ? LenientResponse() : nil
        request.trace.enter(.connect, at: start)
        do throws(CurlError) { try configure() } catch { throw .refusedOption(error) }
        if request.isSecure { try easy.trust() }
        if request.tunnel?.proxy.isSecure == true { try easy.trustProxy() }
        easy.transfer = self
    }

    /// All that one transfer wants otherwise than another; the rest is set once for each handle.
    private func configure() throws(CurlError) {
        try easy.set(CURLOPT_URL, request.isLenient ? request.gopherURL(userAgent: easy.userAgent) : request.url)
        if request.isLenient { try easy.set(CURLOPT_PROTOCOLS_STR, "gopher,gophers") }
        try easy.reportCloses(to: run.engine)
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if !request.isPlainGet {
            if !request.body.isEmpty { try easy.setBody(request.body) }
            // A GET with a body would be a POST.
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        try easy.set(CURLOPT_HTTPHEADER, headers)
        try easy.set(CURLOPT_RESOLVE, pins)
        if request.tunnel != nil { try easy.set(CURLOPT_CONNECT_TO, targets) }
        // Only where many are carried: with HTTP/1.1, libcurl 7.88 leaves those that wait until a transfer ends.
        try easy.set(CURLOPT_PIPEWAIT, request.connection == .multiplexed ? 1 : 0)
        // libcurl would read a flood over a connection of HTTP/2 that is not metered for as long as it lasts.
        let version = request.allowsHTTP2 && easy.isMetered ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        try easy.set(CURLOPT_HTTP_VERSION, Int(version))
        try easy.set(CURLOPT_FRESH_CONNECT, request.connection == .dedicated ? 1 : 0)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.limits.connect.milliseconds)))
    }

    /// It is over, and its handle is in no multi handle any more.
    ///
    /// - Returns: the handle, where it is to be used again: not one that libcurl was stopped with, nor one with a large
    ///   head, which libcurl keeps until its next transfer. Nor one that sent its request again: libcurl 7.88 counts this
    ///   for each handle and not for each transfer, and fails the sixth time with CURLE_SEND_ERROR.
    func letGo() -> CurlEasy? {
        guard easy.transfer === self else { return nil }
        easy.transfer = nil
        connection = nil
        // Who is told of the end may look for open files at once, on another thread.
        file = nil
        return isDone && !isSentAgain && request.isPlainGet && !request.isLenient
            && state.headByteCount <= Self.mostKeptHead ? easy : nil
    }

    var byteCount: Int { state.byteCount }

    /// The second one for the same, where there may be one.
    var hedge: TransferRequest? { request.hedge }

    // MARK: Events, from the callbacks

    /// libcurl is about to look a host up. It has what it needs for every name; only addresses go through here.
    var mayResolve: Bool {
        hasBegun = true
        noteConnectionChoice()
        guard request.pin != nil else { return true }
        state.refuse(
            request.tunnel == nil
                ? MediaFailure(.dnsFailed, "the addresses of the host were removed before a connection was made")
                : MediaFailure(.connectFailed, "the addresses of the proxy were removed before a connection was made"))
        return false
    }

    /// A socket was opened for it. Sockets that race each other belong to one connection.
    func opened(_ socket: Int32) {
        let connection = isConnecting ? self.connection : nil
        self.connection = run.engine.opened(socket, for: connection)
        isConnecting = true
    }

    /// The system has no socket for it.
    func hasNoSocket(_ error: SystemError) {
        state.refuse(MediaFailure(.overloaded, "no socket can be opened: \(error.reason)"))
    }

    /// Whether a connection to the address may be opened.
    func mayConnect(to address: IPAddress?, port: UInt16) -> Bool {
        hasBegun = true
        noteConnectionChoice()
        state.connecting(at: .now)
        guard let tunnel = request.tunnel else { return decide(address, port: port) }
        if let address, tunnel.proxyAddresses.contains(address), port == tunnel.proxy.port { return true }
        state.refuse(MediaFailure(.internal, "libcurl wants to connect to another server than the proxy"))
        return false
    }

    /// Whether the request may be sent over the connection, which may be an older one.
    func mayRequest(over endpoints: ConnectionEndpoints) -> Bool {
        hasBegun = true
        noteConnectionChoice()
        noteConnection(endpoints)
        let now = MonotonicInstant.now
        timing.noteConnection(easy, tunnel: tunnelTime)
        isConnected = true
        let connected = tunnelTime.map { Int($0.milliseconds * 1_000) } ?? easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        if state.pace.phase == .connecting, connected > 0, secured > connected {
            request.trace.enter(.tls, at: now.advanced(by: .microseconds(connected - secured)))
        }
        request.trace.enter(.wait, at: now)
        request.running?.requested(over: timing, at: now)
        request.movement?(.connected)
        state.requesting(at: now)
        (requestedAt, requestTime) = (now, .now)
        // A tunnel is used again only for the address to which it leads, which was judged for this request, too.
        guard request.tunnel == nil else { return true }
        return decide(IPAddress(endpoints.address), port: endpoints.port)
    }

    /// libcurl has chosen the connection that was opened for the transfer, or an older one.
    private func noteConnection(_ endpoints: ConnectionEndpoints) {
        if isConnecting, let connection {
            run.engine.connected(connection, endpoints)
        } else {
            connection = run.engine.connection(with: endpoints)
        }
        isConnecting = false
    }

    /// libcurl chooses a connection. Where the request had one, that one has ended, and this is another.
    private func noteConnectionChoice() {
        if isConnected { (isSentAgain, requestedAt) = (true, nil) }
        isConnected = false
        tunnelAnswer?.reset()
        tunnelTime = nil
    }

    private func decide(_ address: IPAddress?, port: UInt16) -> Bool {
        let decision =
            address.map { request.errand.rules.policy.addresses.decide($0, port: port) }
            ?? .refused("the address is of an unknown family")
        guard case .refused(let why) = decision else { return true }
        state.refuse(
            MediaFailure(.forbiddenAddress, "\(why); --allow-address permits a range of your own"))
        return false
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        connection?.delivered(line.count)
        if tunnelAnswer != nil, !isConnected { return unsafe receivedFromProxy(line) }
        // It is the request, which libcurl shows as it sends it.
        if lenient != nil { return .proceed }
        let verdict = unsafe takeHeadLine(line)
        leaveConnection(on: verdict)
        return verdict
    }

    /// A line of the proxy's answer to CONNECT, before the connection carries a request.
    private func receivedFromProxy(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let failure = unsafe tunnelAnswer?.received(line)
        if tunnelAnswer?.isOpen == true { tunnelTime = start.duration(to: .now) }
        guard let failure else { return .proceed }
        state.refuse(failure)
        return .abort
    }

    private func takeHeadLine(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        switch unsafe state.receivedHead(line) {
        case .abort: .abort
        case .field, .status, .trailer: .proceed
        case .end: receivedHead()
        }
    }

    /// libcurl goes on reading for the other transfers of the connection before it reports the end of this one.
    private func leaveConnection(on verdict: TransferState.Verdict) {
        if verdict == .abort { leaveConnection() }
    }

    private func leaveConnection() {
        isFlooded = connection?.isFlooded ?? isFlooded
        connection = nil
    }

    private func receivedHead() -> TransferState.Verdict {
        var head = ResponseHead(
            status: lenient?.status ?? easy.number(CURLINFO_RESPONSE_CODE),
            lines: FieldLines(state.headLines, lineEnds: state.headLineEnds))
        let length = lenient.map { $0.declaredBytes ?? -1 } ?? easy.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        let now = movedNow()
        let info = ResponseInfo(head, declaredBytes: length >= 0 ? length : nil)
        let verdict = state.received(info, at: now)
        guard state.isAnswered else { return verdict }
        if case .media = request.bodyMode {
            decoder = info.decoding.map(BodyDecoder.init)
            // All bytes in answer to a request for all: what follows takes it for a 200.
            if info.isWholeRange { head.makeWhole() }
        }
        answeredAt = now
        request.trace.enter(.body, at: now)
        request.running?.answered(head.status, easy.protocolName, at: now)
        self.head = head
        responseTime = .now
        if !head.isFailureOfHost { request.movement?(.answered) }
        // All of it comes again, into another file: somebody may be reading the bytes of an earlier try.
        if case .resume = request.bodyMode, state.isWanted, state.byteCount == 0 { file = nil }
        return verdict
    }

    func receivedBody(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let verdict = isFlood(bytes.count) ? .abort : unsafe lenient == nil ? takeEncoded(bytes) : takeLeniently(bytes)
        leaveConnection(on: verdict)
        return verdict
    }

    private func takeLeniently(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let span = unsafe bytes.bindMemory(to: UInt8.self).span
        var place = 0
        while let part = lenient?.next(in: span, at: &place) {
            let verdict: TransferState.Verdict
            switch part {
            case .line(let line): verdict = unsafe line.withUnsafeBytes { unsafe takeHeadLine($0) }
            case .body(let body): verdict = unsafe takeEncoded(UnsafeRawBufferPointer(rebasing: bytes[body]))
            case .end:
                state.satisfy()
                verdict = .abort
            case .malformed:
                state.refuse(MediaFailure(.connectionLost, "the response of the origin is no HTTP"))
                verdict = .abort
            }
            if verdict == .abort { return .abort }
        }
        return .proceed
    }

    private func takeEncoded(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let missing = state.head?.identityBytes.map { max(0, $0 - encodedBytes) }
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(missing ?? bytes.count))
        encodedBytes += part.count
        let verdict = unsafe takeDecoded(part)
        guard verdict == .proceed, missing == part.count else { return verdict }
        state.satisfy()
        return .abort
    }

    private func takeDecoded(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        guard state.isWanted, let decoder else { return unsafe take(bytes) }
        do throws(MediaFailure) {
            return try unsafe decoder.decode(bytes) { unsafe take($0) }
        } catch {
            state.refuse(error)
            return .abort
        }
    }

    /// Whether the parts of the body are so small that they flood the connection.
    private func isFlood(_ count: Int) -> Bool {
        let total = max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))
        defer { wireBytes = total }
        guard connection?.handedOver(count, wireCount: total - wireBytes) == true else { return false }
        state.refuse(MeteredConnection.flood)
        return true
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> TransferState.Verdict {
        let offset = state.byteCount
        let verdict = unsafe state.received(bytes, at: movedNow())
        guard verdict == .proceed, state.isWanted else { return verdict }
        do throws(MediaFailure) { try unsafe write(bytes, at: offset) } catch {
            state.refuse(error)
            return .abort
        }
        request.running?.received(
            wireBytes: max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T)), bodyBytes: state.byteCount)
        request.errand.progress?.tell(FetchProgress.State(receivedBytes: state.byteCount, expectedBytes: expectedBytes))
        return .proceed
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MediaFailure) {
        let target: MediaFile
        if let file {
            target = file
        } else {
            target = try request.errand.makeFile()
            request.errand.bodyBegins(target, version)
        }
        file = target
        do throws(SystemError) { try unsafe FileSystem.write(bytes, to: target, at: offset) } catch {
            throw MediaFailure(.storageFailed, "the download cannot be written: \(error.reason)")
        }
    }

    /// `nil` for a body that is decoded on its way: its bytes are not those that a range counts.
    private var version: ArrivingMedia.Version? {
        guard let head, state.head?.contentEncodings.isEmpty == true else { return nil }
        return ArrivingMedia.Version(head, completeLength: expectedBytes, at: responseTime ?? .now)
    }

    private var expectedBytes: Int? {
        guard let head = state.head, head.contentEncodings.isEmpty else { return nil }
        return head.completeLength ?? head.declaredBytes
    }

    private func movedNow() -> MonotonicInstant {
        if state.resumed() { request.movement?(.resumed) }
        return .now
    }

    // MARK: The end

    /// Bytes of the response that the origin may still send; `nil`: their number is not known.
    private var missingBytes: Int? {
        if isComplete { return 0 }
        let declared = state.head?.declaredBytes
        return declared.map { max(0, $0 - max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))) }
    }

    /// What came of it, when libcurl is done with it.
    func report(_ code: CURLcode) -> TransferReport {
        (hasBegun, isDone, isComplete) = (true, true, code == CURLE_OK)
        if code != CURLE_OK, connection?.isFlooded == true { state.refuse(MeteredConnection.flood) }
        // libcurl has no other code for a header line of more than 100 KiB (CURL_MAX_HTTP_HEADER).
        if code == CURLE_OUT_OF_MEMORY, !state.isAnswered, state.headByteCount > 0 { state.refuse(.longHeader) }
        if state.failure == nil, !state.isSatisfied, code != CURLE_OK {
            state.refuse(failure(code))
        }
        if state.failure == nil, state.isWanted, code == CURLE_OK, decoder?.isWhole == false, encodedBytes > 0 {
            state.refuse(MediaFailure(.truncated, "the encoded body of the response ends too early"))
        }
        if state.failure == nil, state.isAnswered, code == CURLE_OK, lenient?.isWhole == false {
            state.refuse(MediaFailure(.truncated, "the body of the response ends too early"))
        }
        if state.failure == nil, state.isCutShort {
            state.refuse(MediaFailure(.truncated, "the origin sent less than the requested rest"))
        }
        // Without a tunnel, the proxy sent it.
        isUnreadable =
            (request.tunnel == nil || isConnected) && !state.isAnswered
            && [CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL].contains(code)
        // A connection may close behind the last byte that was announced, and libcurl be content with less.
        if state.failure == nil, !state.isAnswered {
            state.refuse(MediaFailure(.connectionLost, "there was no response"))
        }
        return report(state.failure)
    }

    private func failure(_ code: CURLcode) -> MediaFailure {
        if var answer = tunnelAnswer, !isConnected, !answer.isOpen {
            defer { tunnelAnswer = answer }
            return easy.proxyFailure(code, after: &answer)
        }
        var failure = MediaFailure(code, phase: state.pace.phase, isInHandshake: isInHandshake)
        if code == CURLE_PEER_FAILED_VERIFICATION, let words = easy.certificateProblem() { failure.detail = words }
        return failure
    }

    /// Why the proxy has opened no tunnel, if that is why the transfer has failed.
    private func proxyFailure(_ failure: MediaFailure?) -> ProxyFailure? {
        guard !isConnected, let reason = failure?.reason, [.connectFailed, .tlsFailed].contains(reason) else {
            return nil
        }
        return tunnelAnswer?.proxyFailure(isConnected: easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false)
    }

    /// The address is connected to, and TLS is not agreed upon. Until both are, libcurl 7.88 tells no time of either.
    private var isInHandshake: Bool {
        if let tunnelAnswer { return request.isSecure && !isConnected && tunnelAnswer.isOpen }
        return request.isSecure && easy.offset(CURLINFO_APPCONNECT_TIME_T) <= 0
            && easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false
    }

    /// What came of it, when it is ended from outside, or by libcurl.
    func report(_ failure: MediaFailure?) -> TransferReport {
        let now = Date.now
        if hasBegun, !isConnected {
            timing.noteConnection(easy, tunnel: tunnelTime)
            // libcurl goes on telling of the one before until the next is made.
            timing.isReused = false
        }
        if hasBegun { timing.noteAnswer(easy) }
        let end = MonotonicInstant.now
        timing.wait = requestedAt.map { $0.duration(to: answeredAt ?? end) }
        timing.body = answeredAt.map { $0.duration(to: end) }
        timing.failure = failure?.reason
        timing.isHedged = run.isHedged
        timing.bodyBytes = state.byteCount
        return TransferReport(
            failure: failure, isOverKeptConnection: isSentAgain || timing.isReused,
            isFlooded: connection?.isFlooded ?? isFlooded, isUnreadable: isUnreadable,
            proxyFailure: proxyFailure(failure), head: head,
            isWanted: state.isWanted, file: file,
            byteCount: state.byteCount,
            mediaClass: state.mediaClass,
            isResumable: state.isWanted && state.head?.contentEncodings.isEmpty ?? false,
            completeLength: expectedBytes, timing: timing,
            requestTime: requestTime ?? now, responseTime: responseTime ?? now)
    }

    /// A second connection is opened for the same.
    func noteHedge() { request.running?.hedged() }

    func mayBeHedged(at now: MonotonicInstant) -> Bool { state.pace.mayBeHedged(at: now) }

    /// When to look next whether it has stopped moving.
    func nextCheck(after now: MonotonicInstant) -> MonotonicInstant { state.pace.nextCheck(after: now) }

    /// Why it has taken too long, if it has; tells who is interested when it only stands still.
    func overdue(at now: MonotonicInstant) -> MediaFailure? {
        if state.isStalled(at: now) { request.movement?(.stalled) }
        guard state.pace.isOverdue(at: now) else { return nil }
        return MediaFailure(
            .budgetExceeded, "the origin sent nothing for too long \(state.pace.phase.words)")
    }
}

extension TransferRequest {
    /// With HTTP/2 each reading wakes every transfer of the connection: the more it brings, the better. A connection of
    /// its own does with less.
    fileprivate var easyKind: CurlEasy.Kind {
        CurlEasy.Kind(
            caFile: errand.rules.policy.caFile, trust: trust, isDecoded: bodyMode == .media,
            bufferSize: isAlone ? 32_768 : 102_400, proxy: tunnel?.proxy)
    }
}

extension StallDetector.Phase {
    fileprivate var words: String {
        switch self {
        case .connecting: "while connecting"
        case .waiting: "while waiting for the first byte of the response"
        case .receiving: "while sending the body"
        }
    }
}
