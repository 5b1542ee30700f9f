import CCurl
import NotificationModel

extension CurlEasy {
    /// Sets the proxy of each transfer that the handle carries; `nil`: none, whatever the environment says.
    ///
    /// All protocols go through tunnels, so that a transfer of any kind leads to the judged address.
    ///
    /// - Parameter caFile: the authorities of all hosts, for a libcurl whose TLS is not this process's OpenSSL.
    func setProxy(_ proxy: ProxyEndpoint?, caFile: String?) throws(CurlError) {
        try set(CURLOPT_PROXY, proxy?.url ?? "")
        guard let proxy else { return }
        // An empty list: libcurl would read `no_proxy` of the environment.
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try set(CURLOPT_PROXYHEADER, proxyHeaders)
        guard proxy.isSecure else { return }
        if let pins = proxy.trust?.pinText {
            try set(CURLOPT_PROXY_PINNEDPUBLICKEY, pins)
            if proxy.trust?.caFile == nil { try set(CURLOPT_PROXY_SSL_VERIFYPEER, 0) }
        }
        guard canHandOverTrust else {
            if let file = proxy.trust?.caFile ?? caFile { try set(CURLOPT_PROXY_CAINFO, file) }
            return
        }
        try setNothing(CURLOPT_PROXY_CAINFO)
        try setNothing(CURLOPT_PROXY_CAPATH)
    }

    /// Why libcurl has ended a transfer before the proxy opened a tunnel.
    func proxyFailure(_ code: CURLcode, after answer: inout TunnelAnswer) -> MediaFailure {
        let isTLS = MediaFailure(code, phase: .connecting, isInHandshake: false).reason == .tlsFailed
        let words =
            code == CURLE_PEER_FAILED_VERIFICATION
            ? certificateProblem(CURLINFO_PROXY_SSL_VERIFYRESULT, of: "the proxy") ?? code.words : code.words
        return answer.failure(isTLS: isTLS, isTimeout: code == CURLE_OPERATION_TIMEDOUT, words)
    }
}
