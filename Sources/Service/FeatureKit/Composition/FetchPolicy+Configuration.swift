import Base
import HTTPCaching
package import MediaFetcher
import NotificationModel
package import ServiceConfiguration

extension FetchPolicy {
    package init(_ configuration: Configuration) {
        self.init()
        let fetch = configuration.fetch
        addresses = AddressPolicy(
            allowed: fetch.allowedRanges, ports: Set(fetch.allowPorts.map { UInt16(clamping: $0) }))
        hosts = HostAllowlist(allowed: fetch.allowHosts, denied: fetch.denyHosts)
        schemes = fetch.schemes
        headers = OriginHeaders(Self.headers(configuration), groups: Self.headersOfGroups(configuration))
        caFile = fetch.caFile
        trusts = OriginTrusts(fetch.hosts.mapValues { OriginTrust(caFile: $0.caFile, pins: $0.pins) })
        proxy = Self.proxy(fetch)
        limits = fetch.limits
        let budget = DescriptorBudget(configuration)
        (limits.keptConnections, limits.validations) = (budget.keptConnections, budget.validations)
        resolver = fetch.resolver
        recordsTransfers = configuration.record.folder != nil
        caching.defaultFreshness = fetch.defaultFreshness.seconds
    }

    private static func proxy(_ fetch: Configuration.Fetch) -> EgressProxy? {
        guard let url = fetch.proxy else { return nil }
        let trust = fetch.hosts[url.host].map { OriginTrust(caFile: $0.caFile, pins: $0.pins) }
        let endpoint = ProxyEndpoint(
            isSecure: url.scheme == "https", host: url.host, port: url.effectivePort,
            credentials: fetch.proxyCredentials?.secret.value, trust: trust)
        return EgressProxy(endpoint, bypass: ProxyBypass(fetch.noProxy), resolvesNames: fetch.proxyResolves)
    }

    /// Returns the header fields of the groups that have their own credentials.
    private static func headersOfGroups(_ configuration: Configuration) -> [AppGroupName: OriginHeaders.Fields] {
        configuration.byGroup.filter { group, _ in
            let settings = configuration.groups[group.description]
            return settings?.sets("fetch.headers", "matrix.homeserver", "matrix.tokenFile") ?? false
        }.mapValues(headers)
    }

    /// Returns the header fields that are sent to each host. The access token of Matrix is sent only to its homeserver,
    /// and only if no `Authorization` is configured for this host.
    private static func headers(_ configuration: Configuration) -> OriginHeaders.Fields {
        var headers = configuration.fetch.headers.mapValues { $0.map { (name: $0.name, value: $0.value.value) } }
        guard let host = configuration.matrix.homeserver?.host, let token = configuration.matrix.tokenFile else {
            return headers
        }
        let own = headers[host] ?? []
        if !own.contains(where: { $0.name.lowercased() == "authorization" }) {
            headers[host] = own + [(name: "Authorization", value: "Bearer \(token.secret.value)")]
        }
        return headers
    }
}
