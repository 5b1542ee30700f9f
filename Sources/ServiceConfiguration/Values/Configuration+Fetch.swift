package import NotificationModel

extension Configuration {
    /// How the certificate of one host is judged, in addition to the authorities of all hosts.
    package struct HostTrust: Sendable, Equatable {
        /// PEM certificates; `nil`: none.
        package var caFile: String?
        /// `sha256//` and the Base64 digest of a public key each; empty: any key.
        package var pins: [String] = []
    }

    package struct Fetch: Sendable {
        /// Texts of `AddressRange`.
        package var allowAddresses: [String] = []
        /// Hosts and `*.example.com`, lower case; empty: all.
        package var allowHosts: [String] = []
        /// As above; these go before the allowed ones.
        package var denyHosts: [String] = []
        package var allowPorts = [80, 443]
        /// `https`, `http`, or both.
        package var schemes = ["https", "http"]
        /// By host in lower case; in the order of names.
        package var headers: [String: [HeaderField]] = [:]
        /// Sent to all hosts; `nil`: `appgroupd/VERSION`.
        package var userAgent: String?
        /// PEM certificates; `nil`: those of the system.
        package var caFile: String?
        /// By host in lower case.
        package var hosts: [String: HostTrust] = [:]
        package var connectTimeout: Duration = .seconds(5)
        package var firstByteTimeout: Duration = .seconds(10)
        package var idleTimeout: Duration = .seconds(10)
        /// `nil`: no second connection is opened.
        package var hedgeAfter: Duration? = .seconds(1)
        /// `on` or `off`.
        package var circuitBreaker = "on"
        package var redirects = 5
        package var connections = 256
        package var connectionsPerHost = 16
        package var stalledConnections = 1_024
        package var stalledConnectionsPerHost = 64
        /// `address:port` or an address; empty: those of /etc/resolv.conf.
        package var nameServers: [String] = []
        /// One name server's time for one answer.
        package var nameServerTimeout: Duration = .seconds(2)
        /// `nil`: hosts are connected to directly.
        package var proxy: BaseURL?
        /// `USER:PASSWORD`; `nil`: none are sent to the proxy.
        package var proxyCredentials: SecretFile?
        /// Hosts, `.example.com`, `*.example.com`, and texts of `AddressRange`.
        package var noProxy: [String] = []
        /// The proxy gets the names of hosts instead of their addresses.
        package var proxyResolves = false
        /// How long a response serves others that says nothing of it. Zero: HTTP's plain rules.
        package var defaultFreshness: Duration = .seconds(60)
        /// Bytes of responses that are kept; 0: none.
        package var cacheQuota = 1 << 30

        /// `allowAddresses`, read.
        package var allowedRanges: [AddressRange] { allowAddresses.compactMap { AddressRange($0) } }
    }
}
