package import NotificationModel

/// An event that the fetcher reports to its observer, on one of the network's threads.
package enum FetchEvent: Sendable, Equatable {
    /// A request to an origin has ended.
    case transferred(TransferTiming)
    /// A certificate file cannot be read. The value is the reason, as a sentence.
    case certificatesUnreadable(String)
    /// The circuit breaker of a host has opened. The host gets no transfers for at least this time.
    case hostResting(String, Duration)
    /// A transfer to a host whose circuit breaker was open has succeeded.
    case hostRecovered(String)
    /// The egress proxy has not opened a tunnel for a request.
    case tunnelFailed(ProxyFailure.Cause)
    /// The egress proxy has stopped serving requests. The values are its host and port, and the reason as a sentence.
    case proxyFails(String, String)
    /// The egress proxy serves requests again. The value is its host and port.
    case proxyRecovered(String)
}

extension MediaFailure {
    static let shutDown = MediaFailure(.cancelled, "the fetcher was shut down")
}
