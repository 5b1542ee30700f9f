/// An absolute URL with a host, in parts (RFC 3986 §3). The parser is strict: it refuses a URL that known parsers read
/// in different ways.
///
/// A URL has no user information, and its fragment is left out, because it is not sent to origins. The parser accepts
/// any scheme, so a caller checks the scheme.
package struct WebURL: Sendable, Equatable {
    /// The maximum length of a URL, in bytes. RFC 9110 §4.1 recommends the support of at least 8,000 bytes.
    package static let maxLength = 8_192

    /// The scheme, in lower case.
    package let scheme: String
    package let host: WebHost
    /// The port, 1…65535; `nil` if the URL has no port.
    package let port: UInt16?
    /// The path and the query in ASCII, from the first slash on.
    package let target: String

    /// - Parameter toASCII: A function that converts the name of a host to its ASCII form, as in `WebHost`.
    package init(_ text: String, toASCII: (String) -> String? = { _ in nil }) throws(WebURLError) {
        try Self.checkCharacters(of: text)
        let reference = URIReference(text)
        guard let scheme = reference.scheme, let place = reference.hostAndPort else { throw .notAbsolute }
        guard !reference.hasUserInformation else { throw .userInformation }
        guard !reference.path.isEmpty || !text[reference.path.startIndex...].utf8.contains(UInt8(ascii: "@")) else {
            throw .possibleUserInformation
        }
        self.scheme = scheme
        host = try WebHost(String(place.host), toASCII: toASCII)
        port = try Self.port(of: place)
        let target = PercentEncoding.encodingNonASCII(in: reference.target)
        self.target = reference.path.isEmpty ? "/" + target : target
    }

    /// The port, or the default port of the scheme: 443 for `https`, and 80 for all other schemes.
    package var effectivePort: UInt16 { port ?? Self.defaultPort(of: scheme) }

    /// Returns the default port of a scheme in lower case: 443 for `https`, and 80 for all other schemes.
    package static func defaultPort(of scheme: String) -> UInt16 { scheme == "https" ? 443 : 80 }

    /// The host and the port. An IPv6 address is in brackets.
    package var hostAndPort: String { host.textInURL + ":" + String(effectivePort) }

    /// The origin, for example `https://cdn.example:8443`. It always includes the port.
    package var origin: String { scheme + "://" + hostAndPort }

    /// The scheme, the host, and the port if it is not the default port.
    package var shortOrigin: String {
        effectivePort == Self.defaultPort(of: scheme) ? scheme + "://" + host.textInURL : origin
    }

    /// The URL in ASCII, without the default port.
    package var text: String { shortOrigin + target }

    /// Whether all parsers read the path and the query in the same way, and libcurl requests them unchanged.
    ///
    /// A plain text has only letters, digits and separators. No segment begins with a dot, and no query is empty.
    package var isPlain: Bool {
        var last: UInt8 = 0
        for byte in target.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "/")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "?"), UInt8(ascii: "="), UInt8(ascii: "&"):
                break
            case UInt8(ascii: "."): if last == UInt8(ascii: "/") { return false }
            default: return false
            }
            last = byte
        }
        return last != UInt8(ascii: "?")
    }

    /// Removes the invisible characters around a URL, and replaces the spaces within it by %20, as in `URL(string:)` since
    /// iOS 17. A host with a space is still refused, because a host must not have a percent sign.
    package static func repaired(_ text: String) -> String {
        let inner = InvisibleCharacters.trimmed(text)
        return inner.utf8.contains(UInt8(ascii: " ")) ? PercentEncoding.encodingSpaces(in: inner[...]) : inner
    }

    /// Refuses characters that some parsers remove or replace.
    private static func checkCharacters(of text: String) throws(WebURLError) {
        guard text.utf8.count <= maxLength else { throw .tooLong }
        for index in text.utf8.indices {
            switch text.utf8[index] {
            case 0: throw .nul
            case UInt8(ascii: " "): throw .space
            case UInt8(ascii: "\\"):
                throw text.utf8[index...].dropFirst().first == UInt8(ascii: "/") ? .escapedSlash : .backslash
            case ..<0x20, 0x7F: throw .controlCharacter
            default: continue
            }
        }
    }

    /// Parses a port; returns `nil` if it is missing or empty, which means the default port. Only digits are accepted,
    /// because other parsers accept signs and too large numbers.
    private static func port(of place: HostAndPort) throws(WebURLError) -> UInt16? {
        guard let written = place.port, !written.isEmpty else { return nil }
        guard let port = place.portNumber, port > 0 else { throw .port }
        return port
    }
}

/// The reason for which a text is not a web URL, as a sentence.
package enum WebURLError: String, Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case tooLong
    case nul = "the URL contains a NUL character"
    case space = "the URL contains a space: write it as %20"
    case backslash = "the URL contains a backslash: write it as %5C"
    case escapedSlash = "the slashes of the URL are escaped twice: encode the JSON once"
    case controlCharacter = "the URL contains a control character"
    case notAbsolute = "the URL is not absolute: it must begin with https://"
    case userInformation = "the URL has a user name or password: remove them"
    /// An `@` follows an authority without a slash after it. Some parsers read user information there.
    case possibleUserInformation = "the URL may be read with a user name: write a / after the host"
    case port = "the port of the URL is not a number from 1 to 65535"
    case noHost = "the URL has no host"
    case percentEncodedHost = "the host is percent-encoded: write it without encoding"
    case hostCharacters = "the host has characters that no host name has"
    /// The host cannot be converted to its ASCII form (IDNA).
    case foreignHost = "the host cannot be converted to a name for DNS"
    /// A label of the host is empty or too long, or the host is too long (RFC 1035 §2.3.4).
    case hostLabels = "the host is not a name: a part of it is empty or too long"
    /// The host ends in a number, and is not an IPv4 address.
    case numericHost = "the host ends in a number, but is not an address: write it as a.b.c.d"
    case addressZone = "the address has a zone, which has a meaning only on one machine: remove it"
    case bracketedHost = "the text in brackets is not an IPv6 address"

    package var description: String {
        self == .tooLong ? "the URL is longer than \(WebURL.maxLength) bytes" : rawValue
    }
}
