import NotificationModel

/// Header fields for origins that want to see a token, by host.
///
/// They go over https only, or to an address of the operator's own that is written into the URL: a payload that names
/// the host with http must not make us say the token aloud.
package struct OriginHeaders: Sendable {
    /// `Name: value` by host in lower case.
    private let fields: [String: [String]]

    package init(_ fields: [String: [(name: String, value: String)]] = [:]) {
        self.fields = Dictionary(
            fields.map { (Self.key($0), $1.map { "\($0.name): \($0.value)" }) }, uniquingKeysWith: +)
    }

    /// What a request to this host carries.
    ///
    /// - Parameter host: as `ValidatedURL.host` has it.
    package func fields(for url: ValidatedURL) -> [String] {
        guard let fields = fields[url.host] else { return [] }
        let isOwnAddress = url.address.map { !AddressPolicy.isPublic($0) } ?? false
        return url.isSecure || isOwnAddress ? fields : []
    }

    /// As `ValidatedURL.host` has it.
    static func key(_ host: String) -> String {
        let host = HostAllowlist.normal(host)
        return IPAddress(host)?.text ?? host
    }
}
