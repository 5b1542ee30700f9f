package import NotificationModel

/// What the fetcher tells of its work to whoever counts it, on one of the network's threads.
package enum FetchEvent: Sendable, Equatable {
    /// A request to an origin has ended.
    case transferred(TransferTiming)
    /// The file of certificates cannot be read: why, in a sentence.
    case certificatesUnreadable(String)
    /// A host begins to rest, for this time at least: media of it have failed.
    case hostRests(String, Duration)
    /// A transfer to a host that rested has succeeded.
    case hostRecovered(String)
    /// The egress proxy has opened no tunnel for a request.
    case tunnelFailed(ProxyFailure.Cause)
    /// The egress proxy serves no requests: its host and port, and why, in a sentence.
    case proxyFails(String, String)
    /// The egress proxy serves requests again.
    case proxyRecovered(String)
}

extension MediaFailure {
    static let shutDown = MediaFailure(.cancelled, "the fetcher was shut down")
}
