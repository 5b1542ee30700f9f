import Base
package import NotificationModel

/// The header fields, such as tokens, that requests to certain hosts carry.
///
/// The fields are sent only over https, or to a private address that is written into the URL. A payload with an http
/// URL must not make the daemon send a token in clear text.
///
/// An app group can have its own fields, which are sent only for its requests. Otherwise a payload of another group
/// could fetch files with the group's token.
package struct OriginHeaders: Sendable {
    /// The fields of requests, by host.
    package typealias Fields = [String: [(name: String, value: String)]]

    /// The header lines `Name: value`, by host in lower case.
    private let lines: [String: [String]]
    /// The header lines of the groups that have their own fields.
    private let linesOfGroups: [AppGroupName: [String: [String]]]

    /// - Parameter groups: The fields of groups that have their own fields. These groups do not use `fields`.
    package init(_ fields: Fields = [:], groups: [AppGroupName: Fields] = [:]) {
        lines = Self.lines(of: fields)
        linesOfGroups = groups.mapValues(Self.lines)
    }

    private static func lines(of fields: Fields) -> [String: [String]] {
        Dictionary(fields.map { (key($0), $1.map { "\($0.name): \($0.value)" }) }, uniquingKeysWith: +)
    }

    /// Returns the group if it has its own fields; otherwise `nil`. Fetches with different results must be separate.
    func scope(of group: AppGroupName?) -> AppGroupName? { group.flatMap { linesOfGroups[$0] == nil ? nil : $0 } }

    /// Returns the header lines of a request to a URL.
    ///
    /// - Parameter group: The app group of the request, or `nil` for the fields of all groups.
    package func fields(for url: ValidatedURL, for group: AppGroupName? = nil) -> [String] {
        let lines = group.flatMap { linesOfGroups[$0] } ?? lines
        guard let fields = lines[url.host] else { return [] }
        let isOwnAddress = url.address.map { !AddressPolicy.isPublic($0) } ?? false
        return url.isSecure || isOwnAddress ? fields : []
    }

    /// Returns a host in the form of `ValidatedURL.host`.
    static func key(_ host: String) -> String {
        let host = HostAllowlist.normal(host)
        return IPAddress(host)?.text ?? host
    }
}
