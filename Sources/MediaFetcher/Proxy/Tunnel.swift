import Base
import NotificationModel

/// The tunnel of one transfer through the egress proxy.
struct Tunnel: Sendable {
    let proxy: ProxyEndpoint
    /// The addresses of the proxy, in the order in which they are tried.
    let proxyAddresses: [IPAddress]
    /// The validated address of the origin to which the proxy must connect; `nil` if it gets the host of the URL.
    let target: IPAddress?
    /// The host and the port of the URL.
    let origin: String

    /// The target of the tunnel for libcurl (CURLOPT_CONNECT_TO). libcurl reuses a tunnel only for the same host and
    /// the same address. An address that was validated for one name is therefore never used for another.
    var connectTo: [String] {
        guard let target else { return [] }
        return ["::\(target.textInURL):"]
    }

    /// The addresses of the proxy's name for libcurl; `nil` if the configuration has an address.
    var pin: AddressPin? {
        guard proxy.address == nil else { return nil }
        return AddressPin(host: proxy.host, port: proxy.port, addresses: proxyAddresses)
    }

    /// The target of the tunnel, for messages.
    var destination: String { target.map { "\(origin) at \($0.textInURL)" } ?? origin }

    /// Adds the proxy to the detail of a failure that the proxy may have caused.
    func naming(_ failure: MediaFailure) -> MediaFailure {
        let reasons: [DegradationReason] = [.connectFailed, .tlsFailed, .connectionLost, .truncated, .budgetExceeded]
        guard reasons.contains(failure.reason), !failure.detail.contains(proxy.words) else { return failure }
        return MediaFailure(failure.reason, "\(failure.detail), through \(proxy.words)")
    }

    /// Returns the address for an attempt. Attempts alternate between IPv4 and IPv6, because the proxy may have a route
    /// to only one of them.
    static func target(ofAttempt number: Int, among addresses: [IPAddress]) -> IPAddress? {
        guard let first = addresses.first else { return nil }
        let same = addresses.filter { $0.isV4 == first.isV4 }
        let other = addresses.filter { $0.isV4 != first.isV4 }
        guard !other.isEmpty else { return same[(number - 1) % same.count] }
        let family = number.isMultiple(of: 2) ? other : same
        return family[(number - 1) / 2 % family.count]
    }
}

extension IPAddress {
    fileprivate var isV4: Bool {
        if case .v4 = self { true } else { false }
    }
}

/// The parser of a proxy's response to CONNECT. The parser takes one line at a time, and uses no socket and no clock.
///
/// The transfer ends after the headers of a refusal, so that its body is not read. The headers are limited here,
/// because libcurl 7.88 does not limit their number. libcurl also reads each byte of the headers with a separate call.
struct TunnelAnswer {
    /// The maximum size of the headers with all lines, in bytes.
    static let maxBytes = 16_384

    private let tunnel: Tunnel
    private var byteCount = 0
    private var status: Int?
    /// The names of the authentication schemes that a 407 offers, in lower case.
    private var schemes: [String] = []
    /// Whether the proxy has opened the tunnel. All later bytes are from the origin.
    private(set) var isOpen = false
    /// Whether the time to connect has ended.
    private var isTimeout = false

    init(_ tunnel: Tunnel) { self.tunnel = tunnel }

    /// Resets the parser for another connection.
    mutating func reset() { self = TunnelAnswer(tunnel) }

    /// Takes a header line, and returns the failure with which the transfer must end; `nil` if it may continue.
    mutating func received(_ line: UnsafeRawBufferPointer) -> MediaFailure? {
        byteCount += line.count
        guard byteCount <= Self.maxBytes else {
            return MediaFailure(
                .connectFailed, "\(tunnel.proxy.words) sends more than \(Self.maxBytes) bytes of headers")
        }
        var text = unsafe Substring(String(decoding: line.prefix(1_024), as: UTF8.self))
        while text.last?.isNewline == true { text.removeLast() }
        guard !text.isEmpty else { return end() }
        if byteCount == line.count { status = Self.status(in: text) } else { note(text) }
        return nil
    }

    private static func status(in line: Substring) -> Int? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else { return nil }
        return Int(words[1])
    }

    /// Records the scheme in a line such as `Proxy-Authenticate: Basic realm="x"`.
    private mutating func note(_ line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "proxy-authenticate",
            let scheme = parts[1].split(whereSeparator: { " \t,".contains($0) }).first
        else { return }
        schemes.append(scheme.lowercased())
    }

    private mutating func end() -> MediaFailure? {
        guard let status else {
            return MediaFailure(.connectFailed, "\(tunnel.proxy.words) does not answer in HTTP/1.1")
        }
        guard !(200...299).contains(status) else {
            isOpen = true
            return nil
        }
        return MediaFailure(.connectFailed, "\(tunnel.proxy.words) answered \(status) to CONNECT: \(remedy(status))")
    }

    private func remedy(_ status: Int) -> String {
        switch status {
        case 407 where !schemes.isEmpty && !schemes.contains("basic"):
            "it accepts no Basic authentication, and appgroupd has no other"
        case 401 where tunnel.proxy.credentials == nil, 407 where tunnel.proxy.credentials == nil:
            "write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"
        // tinyproxy answers 401 to a wrong password.
        case 401, 407: "it does not accept the user and the password in fetch.proxyCredentials"
        case 400...499:
            "permit \(tunnel.destination) in the proxy"
                + (tunnel.origin.hasSuffix(":443") ? "" : ", as proxies often permit CONNECT to port 443 alone")
                + (tunnel.target == nil ? "" : "; for a proxy that permits names, set fetch.proxyResolves: true")
        case 500...599: "the proxy does not reach \(tunnel.destination)"
        default: "a proxy must open a tunnel or refuse it"
        }
    }

    /// Returns the reason why the proxy, connected or not, opened no tunnel; `nil` if there is a tunnel.
    func proxyFailure(isConnected: Bool) -> ProxyFailure? {
        isOpen ? nil : ProxyFailure(status: status, isSilent: isConnected && isTimeout)
    }

    /// Returns the failure of a transfer that libcurl ended before the tunnel was open. `words` is the text of libcurl,
    /// or the fault in the proxy's certificate.
    mutating func failure(isTLS: Bool, isTimeout: Bool, _ words: String) -> MediaFailure {
        self.isTimeout = isTimeout
        if isTimeout { return MediaFailure(.connectFailed, "\(tunnel.proxy.words) opened no tunnel in time") }
        return MediaFailure(isTLS ? .tlsFailed : .connectFailed, "\(tunnel.proxy.words) cannot be used: \(words)")
    }
}
