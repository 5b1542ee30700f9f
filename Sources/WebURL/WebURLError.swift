/// The reason for which a text is not a web URL, as a sentence.
package enum WebURLError: String, Error, Sendable, Equatable, CaseIterable, CustomStringConvertible {
    case tooLong
    case nul = "the URL contains a NUL character"
    case space = "the URL contains a space: write it as %20"
    case backslash = "the URL contains a backslash: write it as %5C"
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
        self == .tooLong ? "the URL is longer than \(WebURL.longest) bytes" : rawValue
    }
}
