/// The reason why a proxy opened no tunnel. The reason shows nothing about the origin.
package struct ProxyFailure: Sendable, Equatable {
    /// The cause, which the metrics distinguish.
    package enum Cause: String, Sendable, CaseIterable {
        /// The connection to the proxy failed, or its response is not HTTP.
        case unusable
        /// The proxy does not accept the credentials (407, or 401 of tinyproxy).
        case credentials
        /// The proxy does not permit a tunnel to the host. Its status is neither a success nor 5xx.
        case refused
        /// The proxy cannot connect to the host (5xx).
        case unreachable
        /// The proxy accepted the connection, but did not respond in time.
        case timeout
    }

    /// The status of the response to CONNECT; `nil` if there was no response.
    var status: Int?
    /// Whether the time to connect ended while the proxy was connected.
    var isSilent = false

    var cause: Cause {
        guard let status else { return isSilent ? .timeout : .unusable }
        return switch status {
        case 401, 407: .credentials
        // The proxy reported a success, but the headers of its response did not end.
        case 200...299: .unusable
        case 500...: .unreachable
        default: .refused
        }
    }

    /// Whether the proxy serves no origin, in contrast to a proxy that refuses or waits for one host.
    var isGeneral: Bool { cause == .unusable || cause == .credentials }
}

/// The state of the egress proxy, without a clock, with which the log reports an outage only once.
struct ProxyHealth {
    private var failed: ProxyEndpoint?

    /// Records the end of a transfer through a proxy. The failure is `nil` if there was a tunnel. Returns the event
    /// that must be reported; `nil` if nothing has changed.
    mutating func note(_ failure: ProxyFailure?, _ detail: String, of proxy: ProxyEndpoint) -> FetchEvent? {
        // A timeout shows nothing, because the proxy may be waiting for the host.
        if failure?.cause == .timeout { return nil }
        if failure?.isGeneral == true {
            guard failed != proxy else { return nil }
            failed = proxy
            return .proxyFails(proxy.hostAndPort, detail)
        }
        guard failed == proxy else { return nil }
        failed = nil
        return .proxyRecovered(proxy.hostAndPort)
    }
}
