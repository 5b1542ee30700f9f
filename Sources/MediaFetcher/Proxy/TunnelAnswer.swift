import NotificationModel

/// The response of a proxy to CONNECT, line by line: pure.
///
/// The transfer ends at the head of a refusal, so that no body of it is read. libcurl 7.88 reads each byte of the head
/// with a call of its own, and has no limit for their number.
struct TunnelAnswer {
    /// Bytes of a head, lines included.
    static let mostBytes = 16_384

    private let tunnel: Tunnel
    private var byteCount = 0
    private var status: Int?
    /// Names of the authentication schemes that a 407 offers, in lower case.
    private var schemes: [String] = []
    /// The proxy has opened the tunnel: what follows is the origin's.
    private(set) var isOpen = false
    /// The time for connecting has ended.
    private var isTimeout = false

    init(_ tunnel: Tunnel) { self.tunnel = tunnel }

    /// Another connection is made.
    mutating func reset() { self = TunnelAnswer(tunnel) }

    /// A line of the head has arrived, with its end.
    ///
    /// - Returns: why the transfer ends here; `nil`: it goes on.
    mutating func received(_ line: UnsafeRawBufferPointer) -> MediaFailure? {
        byteCount += line.count
        guard byteCount <= Self.mostBytes else {
            return MediaFailure(
                .connectFailed, "\(tunnel.proxy.words) sends more than \(Self.mostBytes) bytes of headers")
        }
        let text = unsafe String(decoding: line.prefix(1_024), as: UTF8.self)
            .trimmingSuffix { $0.isNewline }
        guard !text.isEmpty else { return end() }
        if byteCount == line.count {
            status = Self.status(in: text)
        } else {
            note(text)
        }
        return nil
    }

    private static func status(in line: Substring) -> Int? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else { return nil }
        return Int(words[1])
    }

    /// `Proxy-Authenticate: Basic realm="x"`.
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
        return MediaFailure(.connectFailed, "\(tunnel.proxy.words) answered \(status) to CONNECT: \(mend(status))")
    }

    private func mend(_ status: Int) -> String {
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

    // MARK: The end

    /// Why there is no tunnel, if the transfer has ended before there was one.
    ///
    /// - Parameter isConnected: the connection to the proxy itself was made.
    func proxyFailure(isConnected: Bool) -> ProxyFailure? {
        isOpen ? nil : ProxyFailure(status: status, isSilent: isConnected && isTimeout)
    }

    /// The failure of a transfer that has ended by itself before the tunnel was open.
    ///
    /// - Parameters:
    ///   - isTLS: the TLS handshake with the proxy has failed.
    ///   - isTimeout: the time for connecting has ended.
    ///   - words: libcurl's words, or the finding about the proxy's certificate.
    mutating func failure(isTLS: Bool, isTimeout: Bool, _ words: String) -> MediaFailure {
        self.isTimeout = isTimeout
        if isTimeout { return MediaFailure(.connectFailed, "\(tunnel.proxy.words) opened no tunnel in time") }
        return MediaFailure(
            isTLS ? .tlsFailed : .connectFailed, "\(tunnel.proxy.words) cannot be used: \(words)")
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, matches(self[index(before: end)]) { end = index(before: end) }
        return self[startIndex..<end]
    }
}
