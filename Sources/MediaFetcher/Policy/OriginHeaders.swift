import NotificationModel

/// Header fields for origins that want to see a token, by host.
///
/// They go over https only, or to an address of the operator's own that is written into the URL: a payload that names
/// the host with http must not make us say the token aloud.
package struct OriginHeaders: Sendable {
    /// `Name: value` by host in lower case.
    private let fields: [String: [String]]

    package init(_ fields: [String: [(name: String, value: String)]] = [:]) {
        self.fields = fields.mapValues { $0.map { "\($0.name): \($0.value)" } }
    }

    /// What a request to this host carries.
    func fields(for host: String, isSecure: Bool) -> [String] {
        let host = HostRule.normal(host)
        guard let fields = fields[host] else { return [] }
        let isOwnAddress = IPAddress(host).map { !AddressRule.isPublic($0) } ?? false
        return isSecure || isOwnAddress ? fields : []
    }
}
