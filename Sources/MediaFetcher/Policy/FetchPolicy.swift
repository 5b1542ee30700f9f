package import HTTPCaching
package import NameResolution

/// Who may be fetched, and how much of it for how long.
///
/// A fetch asks it twice for each hop: for the URL before anything is resolved, and for all addresses of its host before
/// any is connected to. The URL that comes back is the one to request; nothing else of what a payload or an origin
/// wrote is used.
package struct FetchPolicy: Sendable {
    package var addresses = AddressPolicy()
    package var hosts = HostAllowlist()
    /// Lower case.
    package var schemes = ["https", "http"]
    package var headers = OriginHeaders()
    /// PEM certificates of the authorities that are trusted; `nil`: the system's.
    package var caFile: String?
    /// Further trust of single hosts.
    package var trusts = OriginTrusts()
    package var limits = FetchLimits()
    package var resolver = ResolverSettings()
    package var caching = CachingPolicy(defaultFreshness: 60)

    package init() {}
}
