import Base
import MediaFetcher
import NotificationModel

/// The names of a scenario. Each name has a public address, to which no connection is made, unless a rule of the scenario
/// says otherwise.
final class LaboratoryNames: NameResolving {
    private static let address = IPAddress("93.184.215.14")
    private static let longAddress = IPAddress("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    private static let privateAddress = IPAddress("10.0.0.7")

    private let rules: [String: HostRule]
    /// The hosts with a rule that the scenario has used.
    private let used = Guarded<Set<String>>([])
    private let clock: any RequestClock
    private let settings = ResolverSettings()

    init(_ rules: [HostRule], clock: any RequestClock) {
        self.rules = Dictionary(rules.map { ($0.host, $0) }) { first, _ in first }
        self.clock = clock
    }

    /// Notes that the name of a host is resolved, or that a connection to the host is made.
    func noteUse(of host: String) {
        if rules[host] != nil { used.withLock { _ = $0.insert(host) } }
    }

    /// The hosts with a rule that no request has used.
    var unusedHosts: [String] { used.withLock { used in rules.keys.filter { !used.contains($0) }.sorted() } }

    func resolve(_ host: String) async throws(MediaFailure) -> ResolvedHost {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        let key = name.lowercased()
        let rule = rules[key]
        noteUse(of: key)
        if let delay = rule?.nameDelay, delay > .zero { await clock.sleep(until: clock.now + delay) }
        guard !Task.isCancelled else { throw .cancelled }
        // The names of this machine have its own addresses, so that the policy refuses them as in production.
        var address = name == "localhost" || name.hasSuffix(".localhost") ? IPAddress("127.0.0.1") : Self.address
        switch rule?.name {
        case nil: break
        case .missing: throw .noSuchName
        case .fails: throw MediaFailure(.dnsFailed, "the name servers answered SERVFAIL")
        case .timeout:
            // The time doubles with each round through the servers.
            await clock.sleep(until: clock.now + settings.queryTimeout * ((1 << settings.tries) - 1))
            guard !Task.isCancelled else { throw .cancelled }
            throw MediaFailure(.dnsFailed, "the name servers did not answer")
        case .ipv6Only: address = Self.longAddress
        case .privateAddress: address = Self.privateAddress
        }
        return ResolvedHost(addresses: [address].compactMap(\.self), ttl: .seconds(60), wasCached: false)
    }
}
