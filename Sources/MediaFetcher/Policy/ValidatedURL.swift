package import NotificationModel

/// A URL that the policy has accepted, in the form in which it is requested. Only `FetchPolicy` creates it.
///
/// The validation and the connection use the same values. Two spellings of one URL are equal in this form.
package final class ValidatedURL: Sendable, Hashable {
    /// The absolute URL in ASCII, with the host as in `host`, and without credentials, fragment and default port.
    package let text: String
    /// The scheme, in lower case.
    package let scheme: String
    /// The host. A name is in the ASCII form of DNS, in lower case and without the final dot. An address is in its
    /// standard text form without brackets.
    package let host: String
    /// The port, 1 to 65535. It is the default port of the scheme if the URL has none.
    package let port: UInt16
    /// The host and the port. An IPv6 address is in brackets.
    package let hostAndPort: String
    /// The origin, for example `https://cdn.example:8443`. It always includes the port.
    let origin: String
    /// The address in the URL; `nil` if the URL has a name, which must be resolved.
    package let address: IPAddress?
    /// Whether the name belongs to internal networks. Each of its addresses must then be in an allowed range.
    let isInside: Bool

    /// Creates a URL from its parsed parts.
    ///
    /// - Throws: `invalidURL` if libcurl reads the URL differently than the validation, or if it is too long in ASCII.
    init(_ url: StrictURL, isInside: Bool) throws(MediaFailure) {
        scheme = url.scheme
        host = url.host.text
        let ownPort: UInt16 = url.scheme == "https" ? 443 : 80
        port = url.port ?? ownPort
        address = url.host.address
        let hostInURL = if case .address(.v6) = url.host { "[" + host + "]" } else { host }
        hostAndPort = hostInURL + ":" + String(port)
        origin = scheme + "://" + hostAndPort
        text = try Self.asRequested(url, host: hostInURL, authority: port == ownPort ? hostInURL : hostAndPort)
        self.isInside = isInside
        try StrictURL.checkLength(of: text)
    }

    /// Creates a URL from its canonical form.
    ///
    /// - Parameter written: the host of the URL.
    init(_ url: CanonicalURL, _ written: StrictHost, isInside: Bool) {
        text = url.text
        scheme = url.scheme
        address = url.address
        host = if case .name(let name) = written { name } else { url.part(url.hostBytes) }
        if let port = url.port {
            self.port = port
            hostAndPort = url.part(url.hostBytes.lowerBound..<url.authorityEnd)
            origin = url.part(0..<url.authorityEnd)
        } else {
            port = url.isSecure ? 443 : 80
            hostAndPort = host + (url.isSecure ? ":443" : ":80")
            origin = scheme + "://" + hostAndPort
        }
        self.isInside = isInside
    }

    package var isSecure: Bool { scheme == "https" }

    /// Compares the text, which contains all other parts, and `isInside`, which depends on the policy.
    package static func == (left: ValidatedURL, right: ValidatedURL) -> Bool {
        left.text == right.text && left.isInside == right.isInside
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns the assembled URL after a check that libcurl reads it as it was validated. A plain URL needs no check.
    private static func asRequested(
        _ url: StrictURL, host: String, authority: String
    ) throws(MediaFailure) -> String {
        let start = url.scheme + "://" + authority
        if url.isPlain { return start + url.target }
        let read = try CurlURL.parse(start + url.target)
        guard let text = read.text, text.hasPrefix(start + "/"), text.utf8.allSatisfy({ $0 < 0x80 }),
            read.scheme == url.scheme, read.host == host, !read.hasCredentials
        else { throw MediaFailure(.invalidURL, "the URL can be read in more than one way") }
        return text
    }

    /// Returns the target of an absolute or relative reference in the response to this URL (RFC 3986 §5.2). Its dot
    /// segments are not removed, and it must still be validated.
    func resolve(_ reference: String) -> String {
        if StrictURL.scheme(of: reference) != nil { return reference }
        let target = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
        if target.isEmpty { return text }
        if target.starts(with: "//".utf8) { return "\(scheme):\(reference)" }
        // All bytes of the text are ASCII, and a slash follows the authority.
        let path = text.utf8.dropFirst(scheme.utf8.count + 3).drop { $0 != UInt8(ascii: "/") }.prefix {
            $0 != UInt8(ascii: "?")
        }
        let kept: Substring.UTF8View =
            switch target.first {
            case UInt8(ascii: "/"): text.utf8[..<path.startIndex]
            case UInt8(ascii: "?"): text.utf8[..<path.endIndex]
            default: text.utf8[...(path.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
            }
        return String(Substring(kept)) + reference
    }
}
