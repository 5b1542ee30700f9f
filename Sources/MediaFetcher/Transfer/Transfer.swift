import Base
import CCurl
import FoundationEssentials
import Glibc
import HTTPCaching
import LinuxIO
import NotificationModel

/// A running transfer. The transfer is used only on the driver's thread, on which libcurl also calls the callbacks.
final class Transfer {
    /// The maximum size of response headers after which a handle is reused, in bytes.
    private static let maxKeptHead = 8_192

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
    let request: TransferRequest
    private let headers: CurlList
    private let pins: CurlList
    /// The target to which a proxy must connect, in the form of libcurl.
    private let targets: CurlList
    /// The response of the proxy; `nil` if the connection is direct.
    var tunnelAnswer: TunnelAnswer?
    /// The time from the start of the transfer to the open tunnel; `nil` until the tunnel is open.
    var tunnelTime: Duration?
    var state: TransferState
    var timing: TransferTiming
    let start = MonotonicInstant.now
    var requestedAt: MonotonicInstant?
    var answeredAt: MonotonicInstant?
    var requestTime: Date?
    var responseTime: Date?
    var head: ResponseHead?
    var file: MediaFile?
    /// The checksum of the bytes in the file; `nil` if the cache does not need it, or if an earlier attempt has written
    /// the first bytes.
    var checksum: Checksum?
    /// Whether libcurl has begun the transfer. Before, it still reports the values of the handle's previous transfer.
    var hasBegun = false
    /// Whether the connection is established. After that, libcurl may have sent the request.
    var isConnected = false
    /// Whether a socket was opened for the transfer and has not carried the request yet.
    var isConnecting = false
    /// Whether libcurl has repeated the request over another connection, because the first one ended before a response.
    var isSentAgain = false
    /// Whether libcurl has finished the transfer.
    var isDone = false
    /// Whether libcurl has read the whole response.
    var isComplete = false
    /// The number of body bytes so far, as on the wire.
    var wireBytes = 0
    /// The number of body bytes so far, before decoding.
    var encodedBytes = 0
    /// The decoder; `nil` if the body is not encoded.
    var decoder: BodyDecoder?
    /// The lenient parser; `nil` if libcurl parses the response.
    var lenient: LenientResponse?
    /// Whether the origin sent a response whose headers libcurl does not accept.
    var isUnreadable = false
    /// Whether the origin sent other bytes of the requested rest than its `Content-Range` says, and ended the response.
    var hasWrongRange = false
    /// Whether the connection was flooded when the transfer left it.
    var isFlooded = false

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
        request.listeners?.enter(.connect, at: start)
        do throws(CurlError) { try configure() } catch { throw .refusedOption(error) }
        if request.url.isSecure { try easy.trust() }
        if request.tunnel?.proxy.isSecure == true { try easy.trustProxy() }
        easy.transfer = self
    }

    /// Sets the options that differ between transfers. All other options are set once for each handle.
    private func configure() throws(CurlError) {
        try easy.set(CURLOPT_URL, request.isLenient ? request.gopherURL(userAgent: easy.userAgent) : request.url.text)
        if request.isLenient { try easy.set(CURLOPT_PROTOCOLS_STR, "gopher,gophers") }
        try easy.reportCloses(to: run.driver)
        if request.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, 1)
        } else if !request.isPlainGet, !request.isLenient {
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

    /// Ends the transfer, after its handle was removed from the multi handle, and returns the handle if it can be
    /// reused. The handle of a stopped transfer cannot. A handle with large response headers would keep them until its
    /// next transfer. A handle that has repeated its request is not reused either, because libcurl 7.88 counts
    /// repetitions per handle and not per transfer. libcurl fails with CURLE_SEND_ERROR at the sixth repetition.
    func letGo() -> CurlEasy? {
        guard easy.transfer === self else { return nil }
        easy.transfer = nil
        connection = nil
        // The file is released before the end is reported, because another thread may then check for open files.
        file = nil
        return isDone && !isSentAgain && request.isPlainGet && !request.isLenient
            && state.headByteCount <= Self.maxKeptHead ? easy : nil
    }

    // MARK: Events from the callbacks of libcurl

    /// Whether libcurl may look up a host. All names are pinned, so only addresses need a look-up.
    var mayResolve: Bool {
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
    func noteSocketFailure(_ error: SystemError) {
        state.refuse(MediaFailure(.overloaded, "no socket can be opened: \(error.reason)"))
    }

    /// Returns whether a connection to the address may be opened.
    func mayConnect(to address: IPAddress?, port: UInt16) -> Bool {
        noteConnectionChoice()
        state.pace.move(at: .now)
        guard let tunnel = request.tunnel else { return decide(address, port: port) }
        if let address, tunnel.proxyAddresses.contains(address), port == tunnel.proxy.port { return true }
        state.refuse(MediaFailure(.internal, "libcurl tried to connect to a server other than the proxy"))
        return false
    }

    /// The port on loopback to which the socket connects in place of the validated address; `nil` if there is no
    /// stand-in.
    var stubPort: UInt16? { request.context.rules.policy.hostStub.map { $0.port(request.url.host) } }

    /// Returns whether the request may be sent over a new or reused connection.
    func mayRequest(over endpoints: ConnectionEndpoints) -> Bool {
        noteConnectionChoice()
        noteConnection(endpoints)
        let now = MonotonicInstant.now
        timing.noteConnection(easy, tunnel: tunnelTime)
        isConnected = true
        let connected = tunnelTime.map { Int($0.milliseconds * 1_000) } ?? easy.offset(CURLINFO_CONNECT_TIME_T)
        let secured = easy.offset(CURLINFO_APPCONNECT_TIME_T)
        if state.pace.phase == .connecting, connected > 0, secured > connected {
            request.listeners?.enter(.tls, at: now.advanced(by: .microseconds(connected - secured)))
        }
        request.listeners?.enter(.wait, at: now)
        request.running?.requested(over: timing, at: now)
        request.movement?(.connected)
        state.pace.move(to: .waiting, at: now)
        (requestedAt, requestTime) = (now, .now)
        // A tunnel is reused only for the address to which it leads. That address was also validated for this request.
        guard request.tunnel == nil else { return true }
        // The address was validated before the socket was connected to the stand-in.
        guard request.context.rules.policy.hostStub == nil else { return true }
        return decide(IPAddress(endpoints.address), port: endpoints.port)
    }

    /// Records the connection that libcurl has chosen, which was opened for the transfer or is reused.
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
        hasBegun = true
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
        state.refuse(MediaFailure(.forbiddenAddress, "\(why); --allow-address permits a range of your own"))
        return false
    }
}

extension TransferRequest {
    /// The settings of the handle. With HTTP/2, each read wakes all transfers of the connection, so a larger buffer is
    /// better. For a connection with a single transfer, a small buffer suffices.
    fileprivate var easyKind: CurlEasy.Kind {
        CurlEasy.Kind(
            caFile: context.rules.policy.caFile, trust: context.rules.policy.trusts.trust(in: url),
            isDecoded: bodyMode == .media, bufferSize: isAlone ? 32_768 : 102_400, proxy: tunnel?.proxy)
    }
}
