package import NotificationModel

/// A URL that the policy lets through, in the one form in which it is requested: only `FetchPolicy` makes them.
///
/// What was judged and what is dialled are the same values. Two spellings of one URL are equal here.
package final class ValidatedURL: Sendable, Hashable {
    /// Absolute and ASCII: without credentials, fragment and default port, with the host as below.
    package let text: String
    /// Lower case.
    package let scheme: String
    /// A name in lower case as DNS knows it, without the root's dot; or the standard text of an address, no brackets.
    package let host: String
    /// 1 to 65535; the scheme's own where the URL says none.
    package let port: UInt16
    /// Both, and an IPv6 address in brackets.
    package let hostAndPort: String
    /// `https://cdn.example:8443`, the port always.
    let origin: String
    /// Where the URL names an address, and nothing is resolved.
    package let address: IPAddress?
    /// The name is one of inside networks: each address that it has must be in an allowed range.
    let isInside: Bool

    /// - Throws: `invalidURL` where libcurl does not read it as it was judged, and for a URL that is too long once it is ASCII.
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

    /// - Parameter written: the URL's host.
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

    /// The text has it all; where a name may lead is the policy's matter.
    package static func == (left: ValidatedURL, right: ValidatedURL) -> Bool {
        left.text == right.text && left.isInside == right.isInside
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// The URL put together again, if libcurl reads it as it was judged; of a plain one that is known.
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

    /// What a reference, absolute or relative, means when it stands in an answer from here (RFC 3986 §5.2). To be
    /// judged; its dots are still in it.
    func resolve(_ reference: String) -> String {
        if StrictURL.scheme(of: reference) != nil { return reference }
        let target = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
        if target.isEmpty { return text }
        if target.starts(with: "//".utf8) { return "\(scheme):\(reference)" }
        // All bytes of the text are ASCII, and a slash follows its authority.
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
