package import NotificationModel

extension Configuration {
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
        /// PEM certificates; `nil`: those of the system.
        package var caFile: String?
        package var connectTimeout: Duration = .seconds(5)
        package var firstByteTimeout: Duration = .seconds(10)
        package var idleTimeout: Duration = .seconds(10)
        package var redirects = 5
        package var connections = 256
        package var connectionsPerHost = 16

        /// `allowAddresses`, read.
        package var allowedRanges: [AddressRange] { allowAddresses.compactMap { AddressRange($0) } }
    }
}
