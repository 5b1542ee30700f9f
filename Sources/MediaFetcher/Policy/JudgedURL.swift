package import NotificationModel

/// A URL that the policy lets through, in the one form in which it is requested: only `FetchPolicy` makes them.
///
/// What was judged and what is dialled are the same values. Two spellings of one URL are equal here.
package struct JudgedURL: Sendable, Hashable {
    /// Absolute and ASCII: without credentials, fragment and default port, with the host as below.
    package let text: String
    /// Lower case.
    package let scheme: String
    /// A name in lower case as DNS knows it, without the root's dot; or the standard text of an address, no brackets.
    package let host: String
    /// 1 to 65535; the scheme's own where the URL says none.
    package let port: UInt16
    /// Where the URL names an address, and nothing is resolved.
    package let address: IPAddress?
    /// The name is one of inside networks: each address that it has must be in an allowed range.
    let isInside: Bool

    init(text: String, scheme: String, host: WrittenHost, port: UInt16, isInside: Bool) {
        self.text = text
        self.scheme = scheme
        self.host = host.text
        self.port = port
        address = host.address
        self.isInside = isInside
    }

    package var isSecure: Bool { scheme == "https" }
    /// An IPv6 address in brackets.
    package var hostAndPort: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// What a reference, absolute or relative, means when it stands in an answer from here (RFC 3986 §5.2). To be
    /// judged; its dots are still in it.
    func resolve(_ reference: String) -> String {
        if WrittenURL.scheme(of: reference) != nil { return reference }
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
