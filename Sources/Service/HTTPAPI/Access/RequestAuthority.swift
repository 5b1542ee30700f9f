import Base
import HTTPTypes

extension HTTPRequest {
    /// Reads the authority of a request: its `Host`, or the `:authority` of HTTP/2.
    ///
    /// - Returns: `nil` if the request has no authority.
    /// - Throws: A problem with status 400 if there are several values, or if the value is not `host[:port]` (RFC 9112
    ///   §3.2, RFC 9113 §8.3.1).
    func readAuthority() throws(Problem) -> Authority? {
        // The first `Host` is the authority, and further fields stay in the head.
        guard headerFields[values: .host].isEmpty else {
            throw .host("There are several Host fields, or :authority and Host differ: send one value.")
        }
        guard let text = authority else { return nil }
        guard let authority = Authority(text) else {
            throw .host("Host must be a name or an address, with a port of at most 65535 or without a port.")
        }
        return authority
    }

    /// Makes `Host` of an HTTP/2 request its `:authority` if it has none, and removes a `Host` that is the same (RFC 9113
    /// §8.3.1). Another `Host` stays in the head, and ``readAuthority()`` refuses it.
    mutating func mergeHost() {
        let hosts = headerFields[values: .host]
        guard let host = hosts.first, hosts.count == 1 else { return }
        if authority == nil {
            authority = host
        } else {
            guard let one = Authority(host), let other = authority.flatMap({ Authority($0) }), one.isSame(other)
            else { return }
        }
        headerFields[.host] = nil
    }
}

extension Problem {
    /// Creates the problem of a `Host` that is missing or cannot be used.
    static func host(_ detail: String) -> Problem { Problem(.badRequest, detail, members: ["header": "Host"]) }
}

extension Authority {
    /// The port of https, which is the only scheme of HTTP/2 here.
    private static let defaultPort: UInt16 = 443

    fileprivate func isSame(_ other: Authority) -> Bool {
        host == other.host && (port ?? Self.defaultPort) == (other.port ?? Self.defaultPort)
    }
}
