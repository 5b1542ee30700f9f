import Base
import NIOHTTP1

/// A request target in absolute form (RFC 9112 §3.2.2): `http://host[:port]/path?query`. Over TLS, `https` is also
/// permitted.
struct AbsoluteTarget: Sendable, Equatable {
    /// The host and the port as the client wrote them.
    let authority: String
    /// The path and the query of the target.
    let originForm: String

    /// Reads a target in absolute form.
    ///
    /// - Parameter isSecure: Whether the connection uses TLS. A request for an `https` URL is refused on other connections
    ///   (RFC 9110 §7.4).
    /// - Returns: `nil` if the text is not an `http` or `https` URL with a host (RFC 9110 §4.2). The result is also `nil`
    ///   if the URL contains a user (RFC 9110 §4.2.4), or its port is above 65535.
    init?(_ target: String, isSecure: Bool) {
        let reference = URIReference(target)
        guard reference.scheme == "http" || (isSecure && reference.scheme == "https"),
            let authority = reference.authority,
            Authority(authority)?.host.isEmpty == false
        else { return nil }
        self.authority = String(authority)
        let rest = target[authority.endIndex...]
        originForm = reference.path.isEmpty ? "/" + rest : String(rest)
    }
}

extension HTTPRequestHead {
    /// Replaces an absolute-form target by its origin form, and `Host` by its authority, which takes precedence.
    ///
    /// `Host` stays unchanged if it is missing or repeated, because the request is then refused for that reason (RFC
    /// 9112 §3.2).
    mutating func resolveTarget(isSecure: Bool) {
        guard !uri.hasPrefix("/") else { return }
        guard let target = AbsoluteTarget(uri, isSecure: isSecure) else {
            // Hummingbird would cut off a scheme and a host without checking them. No route has the path `*`.
            uri = "*"
            return
        }
        uri = target.originForm
        if headers["host"].count == 1 { headers.replaceOrAdd(name: "host", value: target.authority) }
    }
}
