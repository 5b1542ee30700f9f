import Base
import HTTPTypes

/// A check that admits requests of programs on this machine over loopback TCP, and refuses requests of web pages in a
/// browser.
///
/// A web page can point its own host name at 127.0.0.1 (DNS rebinding), and `Host` then contains that name. A web page
/// can also call other sites without permission. `Origin` then contains its origin, or `Sec-Fetch-Site` tells that it is
/// of another site (W3C Fetch Metadata). A web page can forge none of these fields.
struct DNSRebindingGuard: Sendable {
    /// The port on which the connection was accepted.
    var port: Int

    /// Checks the `Host`, the `Sec-Fetch-Site` and the `Origin` of a request.
    ///
    /// - Returns: The reason for a refusal; `nil` if the request is admitted.
    func refusal(of request: HTTPRequest) -> Problem? {
        let host: String
        do throws(Problem) {
            guard let authority = try request.readAuthority() else { return .host("Host is missing.") }
            host = authority.host
        } catch {
            return error
        }
        guard LoopbackName.isLoopback(host) else {
            return Problem(
                .wrongHost, "Host is not a name of this server: use localhost, 127.0.0.1 or [::1].",
                members: ["header": "Host"])
        }
        if let site = request.headerFields[.fetchSite], ["cross-site", "same-site"].contains(site) {
            return .foreignPage("Sec-Fetch-Site")
        }
        guard let origin = request.headerFields[.origin].map({ URIReference($0) }) else { return nil }
        guard origin.scheme == "http", origin.target.isEmpty, origin.fragment == nil,
            let authority = origin.authority.flatMap({ Authority($0) }), LoopbackName.isLoopback(authority.host),
            Int(authority.port ?? 80) == port
        else { return .foreignPage("Origin") }
        return nil
    }
}

extension Problem {
    fileprivate static func foreignPage(_ header: String) -> Problem {
        Problem(
            .forbidden, "Web pages of other origins are not permitted to call this server.",
            members: ["header": .string(header)])
    }
}
