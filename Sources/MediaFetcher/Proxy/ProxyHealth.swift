import NotificationModel

/// The reason for which a proxy opened no tunnel, which tells nothing of the origin.
package struct ProxyFailure: Sendable, Equatable {
    /// The causes that metrics distinguish.
    package enum Cause: String, Sendable, CaseIterable {
        /// The proxy cannot be connected to, or its answer is no HTTP.
        case unusable
        /// The proxy wants other credentials (407, and 401 of tinyproxy).
        case credentials
        /// The proxy permits no tunnel to the host: a status that is neither success nor 5xx.
        case refused
        /// The proxy does not reach the host (5xx).
        case unreachable
        /// The proxy accepted the connection, and gave no answer in time.
        case timeout
    }

    /// The status of the answer to CONNECT; `nil`: there was none.
    var status: Int?
    /// The time for connecting has ended while the proxy was connected.
    var isSilent = false

    var cause: Cause {
        guard let status else { return isSilent ? .timeout : .unusable }
        return switch status {
        case 401, 407: .credentials
        // A success without an end of its headers.
        case 200...299: .unusable
        case 500...: .unreachable
        default: .refused
        }
    }

    /// The proxy serves no request at all, whatever its origin. A proxy that refuses a host, or waits for it, serves others.
    var isGeneral: Bool { cause == .unusable || cause == .credentials }
}

/// Whether the egress proxy serves requests at all, so that the log says so once and not for each media item: pure.
struct ProxyHealth {
    private var failed: ProxyEndpoint?

    /// Notes the end of a transfer through a proxy.
    ///
    /// - Parameter failure: why no tunnel was opened; `nil`: there was one.
    /// - Returns: what is to be reported.
    mutating func note(
        _ failure: ProxyFailure?, _ detail: String, of proxy: ProxyEndpoint
    ) -> FetchEvent? {
        // Silence tells nothing: the proxy may wait for a host.
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
