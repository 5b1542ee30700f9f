import HTTPTypes
import JSON
import WebURL

/// A check that admits requests of programs on this machine over loopback TCP, and refuses requests of web pages in a
/// browser.
///
/// A web page can point its own host name at 127.0.0.1 (DNS rebinding), and `Host` then contains that name. A web page
/// can also post to other sites without permission, and `Origin` then contains its origin. A web page can forge neither
/// field.
struct DNSRebindingGuard: Sendable {
    /// The port on which the connection was accepted.
    var port: Int

    /// Checks the `Host` and the `Origin` of a request.
    ///
    /// - Returns: The reason for a refusal; `nil` if the request is admitted.
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
        guard LoopbackName.isLoopback(host) else {
            return Problem(
                .wrongHost, "Host is not a name of this server: use localhost, 127.0.0.1 or [::1].",
                members: ["header": "Host"])
        }
        guard let origin = request.headerFields[.origin].map({ URIReference($0) }) else { return nil }
        guard origin.scheme == "http", origin.target.isEmpty, origin.fragment == nil,
            let authority = origin.authority.flatMap({ Authority($0) }), LoopbackName.isLoopback(authority.host),
            Int(authority.port ?? 80) == port
        else {
            return Problem(
                .forbidden, "Web pages of other origins are not permitted to call this server.",
                members: ["header": "Origin"])
        }
        return nil
    }
}
