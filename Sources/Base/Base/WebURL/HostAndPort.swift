/// The host and the port of an authority (RFC 3986 §3.2), as written.
///
/// The text is only split: the host may have any characters, and the port need not be a number. User information is not
/// split off, so its `@` is a part of the host, and no check of a host accepts it.
package struct HostAndPort: Sendable {
    /// The host, with the brackets of an IPv6 address.
    package let host: Substring
    /// The text after the colon, which may be empty; `nil` if there is no colon.
    package let port: Substring?

    /// Splits a text at its first colon. A colon in the brackets of an IPv6 address does not count. If the bracket is
    /// not closed, the whole text is the host.
    package init(_ text: some StringProtocol) {
        let text = Substring(text)
        let bytes = text.utf8
        let start =
            bytes.first == UInt8(ascii: "[")
            ? bytes.firstIndex(of: UInt8(ascii: "]")) ?? bytes.endIndex : bytes.startIndex
        guard let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")) else {
            host = text
            port = nil
            return
        }
        host = Substring(bytes[..<colon])
        port = Substring(bytes[bytes.index(after: colon)...])
    }

    /// The port as a number, 0…65535; `nil` if there is no port, or if it is empty or not a number.
    package var portNumber: UInt16? { port.flatMap { UInt16(portDigits: $0) } }

    /// Returns the text of a host and a port. A host with a colon is an IPv6 address, and gets brackets.
    package static func text(_ host: String, _ port: some BinaryInteger) -> String { "\(bracketed(host)):\(port)" }

    /// Returns a host as URLs have it, with an IPv6 address in brackets.
    package static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }

    /// Returns a host without the brackets of an IPv6 address.
    package static func unbracketed(_ host: some StringProtocol) -> String {
        let bytes = Substring(host).utf8
        guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return String(host) }
        return String(Substring(bytes.dropFirst().dropLast()))
    }
}
