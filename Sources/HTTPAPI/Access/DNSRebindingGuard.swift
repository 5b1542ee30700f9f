import HTTPTypes
import JSON
import NotificationModel

/// Which requests on loopback TCP come from this machine's programs, and not from a page in a browser.
///
/// A page can make a name of its own point to 127.0.0.1 (DNS rebinding), which `Host` gives away, and can post across
/// sites without asking, which `Origin` gives away. Neither can be forged by a page.
struct DNSRebindingGuard: Sendable {
    /// Besides those of loopback.
    var names: [String]
    /// What the connection came in on.
    var port: Int

    private static let own = ["localhost", "127.0.0.1", "[::1]"]

    /// - Returns: why the request is refused; `nil`: it is not.
    func refusal(of request: HTTPRequest) -> Problem? {
        guard let authority = request.authority, request.headerFields[values: .host].isEmpty else {
            return Problem(
                .badRequest, "Host is missing, or there are several Host headers.", members: ["header": "Host"])
        }
        guard let host = Authority(authority)?.host else {
            return Problem(
                .badRequest, "Host must be a name or an address, with a port of at most 65535 or without a port.",
                members: ["header": "Host"])
        }
        guard Self.own.contains(host) || names.contains(where: { $0.lowercased() == host }) else {
            return Problem(
                .wrongHost, "Host is not a name of this server: use localhost, 127.0.0.1 or [::1].",
                members: ["header": "Host"])
        }
        guard let origin = request.headerFields[.origin] else { return nil }
        guard origin.lowercased().hasPrefix("http://"), let authority = Authority(origin.dropFirst(7)),
            Self.own.contains(authority.host), Int(authority.port ?? 80) == port
        else {
            return Problem(
                .forbidden, "Web pages of other origins are not permitted to call this server.",
                members: ["header": "Origin"])
        }
        return nil
    }
}
