import CCurl
import FoundationEssentials
import Glibc
import HTTPCaching
import LinuxIO
import NotificationModel
import Primitives
import WebURL

/// A running transfer. The transfer is used only on the driver's thread, on which libcurl also calls the callbacks.
final class Transfer {
    /// The maximum size of response headers after which a handle is reused, in bytes.
    private static let mostKeptHead = 8_192

    /// The run to which the transfer belongs.
    unowned let run: HedgedTransfer
    let easy: CurlEasy
    /// The connection that carries the transfer or is being made for it; `nil` if there is no such connection.
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
    /// The target to which a proxy must connect, in the form of libcurl.
    private let targets: CurlList
    /// The response of the proxy; `nil` if the connection is direct.
    private var tunnelAnswer: TunnelAnswer?
    /// The time from the start of the transfer to the open tunnel; `nil` until the tunnel is open.
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
    /// Whether libcurl has begun the transfer. Before the transfer begins, libcurl still reports the values of the
    /// handle's previous transfer.
    private var hasBegun = false
    /// Whether the connection is established. After that, libcurl may have sent the request.
    private var isConnected = false
    /// Whether a socket was opened for the transfer and has not carried the request yet.
    private var isConnecting = false
    /// Whether libcurl has repeated the request over another connection, because the first one ended before a response.
    private var isSentAgain = false
    /// Whether libcurl has finished the transfer.
    private var isDone = false
    /// Whether libcurl has read the whole response.
    private var isComplete = false
    /// The number of body bytes so far, as on the wire.
    private var wireBytes = 0
    /// The number of body bytes so far, before decoding.
    private var encodedBytes = 0
    /// The decoder; `nil` if the body is not encoded.
    private var decoder: BodyDecoder?
    /// The lenient parser; `nil` if libcurl parses the response.
    private var lenient: LenientResponse?
    /// Whether the origin sent a response whose headers libcurl does not accept.
    private var isUnreadable = false
    /// Whether the connection was flooded when the transfer left it.
    private var isFlooded = false

    init(_ request: TransferRequest, of run: HedgedTransfer, _ handles: EasyHandlePool) throws(MediaFailure) {
        do throws(CurlError) {
            easy = try handles.take(request.easyKind)
        } catch {
            throw MediaFailure(.internal, "libcurl cannot create a handle: \(error.code.words)")
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

    /// Sets the options that differ between transfers. All other options are set once for each handle.
    private func configure() throws(CurlError) {
        try easy.set(CURLOPT_URL, request.isLenient ? request.gopherURL(userAgent: easy.userAgent) : request.url)
        if request.isLenient { try easy.set(CURLOPT_PROTOCOLS_STR, "gopher,gophers") }
        try easy.reportCloses(to: run.driver)
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if !request.isPlainGet {
            if !request.body.isEmpty { try easy.setBody(request.body) }
            // libcurl would turn a GET with a body into a POST.
            try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
        }
        try easy.set(CURLOPT_HTTPHEADER, headers)
        try easy.set(CURLOPT_RESOLVE, pins)
        if request.tunnel != nil { try easy.set(CURLOPT_CONNECT_TO, targets) }
        // `CURLOPT_PIPEWAIT` is set only for multiplexed connections. With HTTP/1.1, libcurl 7.88 would make the other
        // transfers wait until one has ended.
        try easy.set(CURLOPT_PIPEWAIT, request.connection == .multiplexed ? 1 : 0)
        // On an HTTP/2 connection that is not metered, libcurl would read a flood for as long as it lasts.
        let version = request.allowsHTTP2 && easy.isMetered ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        try easy.set(CURLOPT_HTTP_VERSION, Int(version))
        try easy.set(CURLOPT_FRESH_CONNECT, request.connection == .dedicated ? 1 : 0)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(request.limits.connect.milliseconds)))
    }

    /// Ends the transfer, after its handle was removed from the multi handle.
    ///
    /// - Returns: the handle, if it can be reused; otherwise `nil`. A handle whose transfer was stopped cannot be
    ///   reused. A handle with large response headers keeps them until its next transfer, and is not reused either. A
    ///   handle that has repeated its request is not reused, because libcurl 7.88 counts repetitions per handle and not
    ///   per transfer. libcurl fails with CURLE_SEND_ERROR at the sixth repetition.
    func letGo() -> CurlEasy? {
        guard easy.transfer === self else { return nil }
        easy.transfer = nil
        connection = nil
        // The file is released before the end is reported, because another thread may then check for open files.
        file = nil
        return isDone && !isSentAgain && request.isPlainGet && !request.isLenient
            && state.headByteCount <= Self.mostKeptHead ? easy : nil
    }

    var byteCount: Int { state.byteCount }

    /// The request for a second transfer that races this transfer; `nil` if no second transfer may run.
    var hedge: TransferRequest? { request.hedge }

    // MARK: Events from the callbacks of libcurl

    /// Whether libcurl may look up a host. All names are pinned, so only addresses need a look-up.
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

    /// Registers a socket of the transfer. Sockets that race each other belong to one connection.
    func opened(_ socket: Int32) {
        let connection = isConnecting ? self.connection : nil
        self.connection = run.driver.opened(socket, for: connection)
        isConnecting = true
    }

    /// Fails the transfer, because the system has no socket for it.
    func hasNoSocket(_ error: SystemError) {
        state.refuse(MediaFailure(.overloaded, "no socket can be opened: \(error.reason)"))
    }

    /// Returns whether a connection to the address may be opened.
    func mayConnect(to address: IPAddress?, port: UInt16) -> Bool {
        hasBegun = true
        noteConnectionChoice()
        state.connecting(at: .now)
        guard let tunnel = request.tunnel else { return decide(address, port: port) }
        if let address, tunnel.proxyAddresses.contains(address), port == tunnel.proxy.port { return true }
        state.refuse(MediaFailure(.internal, "libcurl tried to connect to a server other than the proxy"))
        return false
    }

    /// Returns whether the request may be sent over a new or reused connection.
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
        // A tunnel is reused only for the address to which it leads. That address was also validated for this request.
        guard request.tunnel == nil else { return true }
        return decide(IPAddress(endpoints.address), port: endpoints.port)
    }

    /// Records the connection that libcurl has chosen: a connection that was opened for the transfer, or a reused
    /// connection.
    private func noteConnection(_ endpoints: ConnectionEndpoints) {
        if isConnecting, let connection {
            run.driver.connected(connection, endpoints)
        } else {
            connection = run.driver.connection(with: endpoints)
        }
        isConnecting = false
    }

    /// Records that libcurl chooses a connection. If the request already had a connection, that connection has ended.
    private func noteConnectionChoice() {
        if isConnected { (isSentAgain, requestedAt) = (true, nil) }
        isConnected = false
        tunnelAnswer?.reset()
        tunnelTime = nil
    }

    private func decide(_ address: IPAddress?, port: UInt16) -> Bool {
        let decision =
            address.map { request.context.rules.policy.addresses.decide($0, port: port) }
            ?? .refused("the address is of an unknown family")
        guard case .refused(let why) = decision else { return true }
        state.refuse(
            MediaFailure(.forbiddenAddress, "\(why); --allow-address permits a range of your own"))
        return false
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> TransferState.Verdict {
        connection?.delivered(line.count)
        if tunnelAnswer != nil, !isConnected { return unsafe receivedFromProxy(line) }
        // With the lenient parser, libcurl reports only the lines of the request that it sends.
        if lenient != nil { return .proceed }
        let verdict = unsafe takeHeadLine(line)
        leaveConnection(on: verdict)
        return verdict
    }

    /// Takes a line of the proxy's response to CONNECT, before the connection carries a request.
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

    /// Leaves the connection after an abort, because libcurl continues to read for its other transfers before it
    /// reports the end of this transfer.
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
            // The response has all requested bytes, so the cache treats it like a 200.
            if info.isWholeRange { head.makeWhole() }
        }
        answeredAt = now
        request.trace.enter(.body, at: now)
        request.running?.answered(head.status, easy.protocolName, at: now)
        self.head = head
        responseTime = .now
        if !head.isFailureOfHost { request.movement?(.answered) }
        // The whole body arrives again. The body goes into a new file, because another task may be reading the bytes of
        // an earlier attempt.
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
                state.refuse(MediaFailure(.connectionLost, "the response of the origin is not HTTP"))
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

    /// Returns whether the parts of the body are so small that they flood the connection.
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
        request.context.progress?.tell(
            FetchProgress.State(receivedBytes: state.byteCount, expectedBytes: expectedBytes))
        return .proceed
    }

    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(MediaFailure) {
        let target: MediaFile
        if let file {
            target = file
        } else {
            target = try request.context.makeFile()
            request.context.bodyBegins(target, version)
        }
        file = target
        do throws(SystemError) { try unsafe FileSystem.write(bytes, to: target, at: offset) } catch {
            throw MediaFailure(.storageFailed, "the download cannot be written: \(error.reason)")
        }
    }

    /// The version of the file at the origin. The version is `nil` if the body is decoded, because decoded bytes do not
    /// match the positions of a range.
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

    // MARK: The end of a transfer

    /// The number of response bytes that the origin may still send; `nil` if it is unknown.
    private var missingBytes: Int? {
        if isComplete { return 0 }
        let declared = state.head?.declaredBytes
        return declared.map { max(0, $0 - max(0, easy.offset(CURLINFO_SIZE_DOWNLOAD_T))) }
    }

    /// Returns the report of a transfer that libcurl has finished.
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
        // If the tunnel is not open, the response came from the proxy.
        isUnreadable =
            (request.tunnel == nil || isConnected) && !state.isAnswered
            && [CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL].contains(code)
        // If the connection closes early, libcurl may report a success without a response.
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

    /// Returns the reason why the proxy opened no tunnel; `nil` if the transfer failed for another reason.
    private func proxyFailure(_ failure: MediaFailure?) -> ProxyFailure? {
        guard !isConnected, let reason = failure?.reason, [.connectFailed, .tlsFailed].contains(reason) else {
            return nil
        }
        return tunnelAnswer?.proxyFailure(isConnected: easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false)
    }

    /// Whether the connection is open and its TLS handshake has not finished. libcurl 7.88 reports the times of both
    /// only after the handshake.
    private var isInHandshake: Bool {
        if let tunnelAnswer { return request.isSecure && !isConnected && tunnelAnswer.isOpen }
        return request.isSecure && easy.offset(CURLINFO_APPCONNECT_TIME_T) <= 0
            && easy.text(CURLINFO_PRIMARY_IP)?.isEmpty == false
    }

    /// Returns the report of a transfer that was ended by libcurl or by the daemon.
    func report(_ failure: MediaFailure?) -> TransferReport {
        let now = Date.now
        if hasBegun, !isConnected {
            timing.noteConnection(easy, tunnel: tunnelTime)
            // Until the next connection is made, libcurl reports the values of the previous connection.
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
            mediaKind: state.mediaKind,
            isResumable: state.isWanted && state.head?.contentEncodings.isEmpty ?? false,
            completeLength: expectedBytes, timing: timing,
            requestTime: requestTime ?? now, responseTime: responseTime ?? now)
    }

    /// Records that a second connection is opened for the same request.
    func noteHedge() { request.running?.hedged() }

    func mayBeHedged(at now: MonotonicInstant) -> Bool { state.pace.mayBeHedged(at: now) }

    /// Returns the time of the next check whether the transfer is stalled.
    func nextCheck(after now: MonotonicInstant) -> MonotonicInstant { state.pace.nextCheck(after: now) }

    /// Returns the failure of a transfer that has exceeded a limit; otherwise `nil`. A newly stalled transfer is
    /// reported to `movement`.
    func overdue(at now: MonotonicInstant) -> MediaFailure? {
        if state.isStalled(at: now) { request.movement?(.stalled) }
        guard state.pace.isOverdue(at: now) else { return nil }
        return MediaFailure(
            .budgetExceeded, "the origin sent nothing for too long \(state.pace.phase.words)")
    }
}

extension TransferRequest {
    /// The settings of the handle. With HTTP/2, each read wakes all transfers of the connection, so a larger buffer is
    /// better. For a connection with a single transfer, a small buffer suffices.
    fileprivate var easyKind: CurlEasy.Kind {
        CurlEasy.Kind(
            caFile: context.rules.policy.caFile, trust: trust, isDecoded: bodyMode == .media,
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
