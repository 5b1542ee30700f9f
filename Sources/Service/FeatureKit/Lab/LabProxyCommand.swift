package import ArgumentParser
package import Base
import MediaFetcher
package import ServiceConfiguration

package struct LabProxyCommand: LabProgramCommand {
    package static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Put the HTTP cache in front of an origin, and show what the cache does.",
        discussion: """
            The proxy listens on loopback. It answers each request from the cache or from the origin, by the daemon's \
            rules for media: RFC 9111 for a private cache, and the policy for public and private addresses. All \
            methods, headers and statuses are passed on. Redirects are not followed, and requests are not retried.

            Cache-Status (RFC 9211) in each response says what the cache did:

              appgroupd; hit                         from the cache, fresh
              appgroupd; hit; detail=stale           from the cache, stale
              appgroupd; fwd=stale; fwd-status=304   from the cache, confirmed by the origin
              appgroupd; fwd=miss; stored            from the origin, and now stored
              appgroupd; fwd=miss                    from the origin, and not stored
              appgroupd; fwd=method                  from the origin, because of the method
              appgroupd; fwd=miss; detail=REASON     502 or 504: the origin did not answer

            The proxy is for conformance suites, such as https://cache-tests.fyi, and for checking the headers of your \
            own origin. If --origin has a private address or localhost as its host, requests to this address are \
            permitted. Other private addresses need --allow-address.

            Examples:
              appgroupd lab serve fixtures/media &
              appgroupd lab proxy --origin http://127.0.0.1:8499 &
              sleep 1
              curl -si http://127.0.0.1:8481/photo-12mp.jpg | grep -ai cache-status
            """)

    @Option(
        help: ArgumentHelp("The origin, such as http://127.0.0.1:8000.", valueName: "url"), transform: ProxyOrigin.init)
    package var origin: ProxyOrigin

    @Option(
        help: ArgumentHelp(
            "The loopback address to listen on. Port 0 chooses a free port. Default: 127.0.0.1:8481.",
            valueName: "host:port"),
        transform: loopback)
    package var listen = ListenAddress(host: "127.0.0.1", port: 8_481)

    @Option(
        help: ArgumentHelp(
            "The directory of the cache. Default: a temporary directory, which is removed at the end.",
            valueName: "directory"))
    package var root: String?

    @Option(
        help:
            "How long a response without cache headers is fresh, such as 500ms, 5s or 2m. Default: 0s; the daemon uses 60s.",
        transform: duration)
    package var defaultFreshness: Duration = .zero

    @Option(
        help: ArgumentHelp(
            "Permit requests to this range of addresses, on any port, even if it is not public. Repeatable.",
            valueName: "cidr"), transform: range)
    package var allowAddress: [AddressRange] = []

    package init() {}
}

private func loopback(_ text: String) throws -> ListenAddress {
    let address = ListenAddress(text).flatMap { IPAddress($0.host)?.isLoopback == true ? $0 : nil }
    return try ValidationError.required(
        address, "a loopback address with a port, such as 127.0.0.1:8481 or [::1]:8481")
}

private func range(_ text: String) throws -> AddressRange {
    try ValidationError.required(AddressRange(text), "an address or a range, such as 127.0.0.0/8 or fd00::/8")
}

/// The origin to which `lab proxy` sends requests.
package struct ProxyOrigin: Sendable {
    /// The URL of the origin without a slash at its end, such as `http://127.0.0.1:8000`.
    package let text: String
    /// The address of the origin if the URL contains an address, or the loopback addresses for `localhost`. Requests to
    /// them are permitted, because the user has named them.
    package let ranges: [AddressRange]

    package init(_ text: String) throws {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        guard let url = try? policy.validate(text), URIReference(url.text).target == "/" else {
            throw ValidationError("it must be a URL without a path, such as http://127.0.0.1:8000.")
        }
        self.text = String(url.text.dropLast())
        let places = url.address.map { [$0.text] } ?? (url.host == "localhost" ? ["127.0.0.0/8", "::1"] : [])
        ranges = places.compactMap { AddressRange($0) }
    }
}
