import CCurl
import NotificationModel

extension CurlEasy {
    /// Sets the proxy of all transfers of the handle. With `nil`, the transfers use no proxy, even if the environment
    /// names one. All protocols use tunnels, so that each transfer ends at the validated address. `caFile` has the
    /// authorities for all hosts, for a libcurl whose TLS library is not the OpenSSL of this process.
    func setProxy(_ proxy: ProxyEndpoint?, caFile: String?) throws(CurlError) {
        try set(CURLOPT_PROXY, proxy?.url ?? "")
        guard let proxy else { return }
        // With an empty list, libcurl does not read `no_proxy` from the environment.
        try set(CURLOPT_NOPROXY, "")
        try set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try set(CURLOPT_PROXYHEADER, proxyHeaders)
        guard proxy.isSecure else { return }
        if let pins = proxy.trust?.pinText {
            try set(CURLOPT_PROXY_PINNEDPUBLICKEY, pins)
            if proxy.trust?.caFile == nil { try set(CURLOPT_PROXY_SSL_VERIFYPEER, 0) }
        }
        guard certificates.canBeHandedOver else {
            if let file = proxy.trust?.caFile ?? caFile { try set(CURLOPT_PROXY_CAINFO, file) }
            return
        }
        try setNothing(CURLOPT_PROXY_CAINFO)
        try setNothing(CURLOPT_PROXY_CAPATH)
    }

    /// Returns the failure of a transfer that libcurl ended before the proxy opened a tunnel.
    func proxyFailure(_ code: CURLcode, after answer: inout TunnelAnswer) -> MediaFailure {
        let isTLS = MediaFailure(code, phase: .connecting, isInHandshake: false).reason == .tlsFailed
        let words =
            code == CURLE_PEER_FAILED_VERIFICATION
            ? certificateProblem(CURLINFO_PROXY_SSL_VERIFYRESULT, of: "the proxy") ?? code.words : code.words
        return answer.failure(isTLS: isTLS, isTimeout: code == CURLE_OPERATION_TIMEDOUT, words)
    }
}
