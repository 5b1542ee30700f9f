import AppGroupStore
import ArgumentParser
import HTTPCaching
import Lab
import MediaFetcher
import NotificationModel
import ServiceConfiguration

struct LabProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Put the HTTP cache in front of an origin, to see what it does.",
        discussion: """
            Serves HTTP on loopback. Each request is answered as the fetcher of media would have it answered: from its \
            cache, by the rules of RFC 9111 for a private one, or from the origin, with its judgement of addresses. All \
            methods, fields and statuses are passed on; redirects are not followed, and nothing is asked twice.

            Each answer says in Cache-Status (RFC 9211) what the cache did:

              appgroupd; hit                         from the store, fresh
              appgroupd; hit; detail=stale           from the store, though no longer fresh
              appgroupd; fwd=stale; fwd-status=304   from the store, confirmed by the origin
              appgroupd; fwd=miss; stored            from the origin, and stored now
              appgroupd; fwd=miss                    from the origin, and not stored
              appgroupd; fwd=method                  from the origin, due to the method
              appgroupd; fwd=miss; detail=REASON     502 or 504: the origin did not answer

            It is made for conformance suites, as https://cache-tests.fyi, and for looking at the answers of an origin \
            of one's own. An origin that is named by its address, or as localhost, may be asked; --allow-address lets \
            others that are not public be asked too.

            Examples:
              appgroupd lab serve fixtures/media &
              appgroupd lab proxy --origin http://127.0.0.1:8499 &
              sleep 1
              curl -si http://127.0.0.1:8481/photo-12mp.jpg | grep -ai cache-status
            """)

    @Option(help: ArgumentHelp("Who is asked: http://127.0.0.1:8000.", valueName: "url"), transform: ProxyOrigin.init)
    var origin: ProxyOrigin

    @Option(
        help: ArgumentHelp("Where to listen, on loopback only; port 0 takes a free one.", valueName: "host:port"),
        transform: loopback)
    var listen = ListenAddress(host: "127.0.0.1", port: 8_481)

    @Option(
        help: ArgumentHelp(
            "Keep what is cached in this folder; a temporary one, removed at the end, unless told.",
            valueName: "folder"))
    var root: String?

    @Option(
        help: "How long an answer is fresh that says nothing about it: 500ms, 5s, 2m. Media have 60s.",
        transform: duration)
    var defaultFreshness: Duration = .zero

    @Option(
        help: ArgumentHelp(
            "Let these addresses and any of their ports be asked, though they are not public. Repeatable.",
            valueName: "cidr"), transform: range)
    var allowAddress: [AddressRange] = []

    func run() async throws {
        let bed = try ProxyBed(root: root, policy: policy)
        let gateway = CachingGateway(
            host: listen.host, port: listen.port, upstream: origin.text, answer: { await bed.answer($0) })
        do {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await gateway.run { port in
                        let address = ListenAddress(host: listen.host, port: port)
                        StandardStreams.output(
                            "http://\(address) answers for \(origin.text) with the cache in \(bed.root); end it with ^C"
                        )
                    }
                }
                group.addTask { await TerminationSignal.wait() }
                try await group.next()
                group.cancelAll()
            }
            await bed.close()
        } catch {
            await bed.close()
            throw CommandFailure(.usage, "lab proxy: \(error)")
        }
    }

    private var policy: FetchPolicy {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: allowAddress + origin.ranges)
        policy.caching.defaultFreshness = defaultFreshness.seconds
        return policy
    }
}

private func loopback(_ text: String) throws -> ListenAddress {
    guard let address = ListenAddress(text), ["127.0.0.0/8", "::1"].contains(where: { address.isIn($0) }) else {
        throw ValidationError("it must be a loopback address with a port, as 127.0.0.1:8481 or [::1]:8481.")
    }
    return address
}

private func duration(_ text: String) throws -> Duration {
    guard let duration = DurationText.parse(text) else {
        throw ValidationError("it must be a duration, as 500ms, 5s or 2m.")
    }
    return duration
}

private func range(_ text: String) throws -> AddressRange {
    guard let range = AddressRange(text) else {
        throw ValidationError("it must be an address or a range, as 127.0.0.0/8 or fd00::/8.")
    }
    return range
}

extension ListenAddress {
    fileprivate func isIn(_ range: String) -> Bool {
        guard let address = IPAddress(host) else { return false }
        return AddressRange(range)?.contains(address) ?? false
    }
}

/// The origin that `lab proxy` asks.
struct ProxyOrigin: Sendable {
    /// `http://127.0.0.1:8000`: without a slash at its end.
    let text: String
    /// Where it is, as far as the name says so: who names an address wants it to be asked.
    let ranges: [AddressRange]

    init(_ text: String) throws {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(allowed: ["0.0.0.0/0", "::/0"].compactMap { AddressRange($0) })
        guard let url = try? policy.validate(text),
            url.text.split(separator: "/", omittingEmptySubsequences: false).count == 4,
            url.text.hasSuffix("/")
        else { throw ValidationError("it must be a URL without a path, as http://127.0.0.1:8000.") }
        self.text = String(url.text.dropLast())
        let places = url.address.map { [$0.text] } ?? (url.host == "localhost" ? ["127.0.0.0/8", "::1"] : [])
        ranges = places.compactMap { AddressRange($0) }
    }
}
