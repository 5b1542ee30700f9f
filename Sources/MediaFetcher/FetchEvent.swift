package import NotificationModel

/// What the fetcher tells of its work to whoever counts it, on the network's thread.
package enum FetchEvent: Sendable, Equatable {
    /// A request to an origin has ended.
    case transferred(TransferTiming)
    /// Somebody has got a medium.
    case delivered(CacheStatus)
}
