/// Where a fetched medium's bytes came from, in RFC 9111's words.
package enum CacheStatus: String, Sendable, CaseIterable {
    /// From the origin.
    case miss
    /// From the store, fresh.
    case hit
    /// From the store, after the origin said that they are still good.
    case revalidated
    /// From the store, though no longer fresh (RFC 5861, or an origin that does not answer).
    case stale
    /// From a transfer that another request had begun.
    case coalesced
}
