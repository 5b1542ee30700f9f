/// A URL of a payload before its validation, for the grouping of requests and for reports.
///
/// The text may be malformed or hostile, so no request is made with these parts. The text is split at its first `://`,
/// even if the text before it is not a scheme. Credentials after a malformed scheme are therefore not shown.
package struct UncheckedURL {
    /// The text before `://`, or before the query or the fragment if there is no `://`. Text that may be user
    /// information is left out.
    private let start: Substring
    /// The text from the two slashes on; `nil` if there is no `://`.
    private let rest: URIReference?

    package init(_ text: String) {
        let bytes = text.utf8
        let plain = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        var colon = plain.firstIndex(of: UInt8(ascii: ":"))
        while let index = colon, !plain[index...].starts(with: "://".utf8) {
            colon = plain[index...].dropFirst().firstIndex(of: UInt8(ascii: ":"))
        }
        rest = colon.map { URIReference(text[bytes.index(after: $0)...]) }
        let start = Substring(plain[..<(colon ?? plain.endIndex)])
        // A password may contain a question mark or a number sign, as in `user:a?b@host`.
        let mayBeUser =
            colon == nil && start.utf8.contains(UInt8(ascii: ":")) && !Self.hasUser(start)
            && Self.hasUser(text[plain.endIndex...])
        self.start = mayBeUser ? "" : Self.withoutUser(start)
    }

    /// The host, the port and the path as written, without user information; `nil` if there is no `://`.
    ///
    /// If an `@` follows an authority with a port that is no number, the authority may be user information. The host is
    /// then empty, and the path is only the text after the last `@`.
    private var parts: (place: HostAndPort, path: Substring)? {
        guard let rest, let place = rest.hostAndPort else { return nil }
        let isUserInQuery = [rest.query, rest.fragment].contains { $0.map(Self.hasUser) ?? false }
        guard isUserInQuery || Self.hasUser(rest.path),
            place.port != nil && place.portNumber == nil
        else { return (place, rest.path) }
        return (HostAndPort(""), isUserInQuery ? "" : Self.withoutUser(rest.path))
    }

    /// The host and the port as written, but in lower case and without user information; `nil` if there is no `://`.
    package var hostAndPort: String? { parts.map { Self.text(of: $0.place).lowercased() } }

    /// The host and the port in lower case, without the default port of the scheme; `nil` if there is no `://`.
    package var hostAndOwnPort: String? {
        let usual = ":\(WebURL.defaultPort(of: start.lowercased()))"
        return hostAndPort.map { $0.hasSuffix(usual) ? String($0.dropLast(usual.utf8.count)) : $0 }
    }

    /// The text without user information, query and fragment.
    package var redacted: String {
        parts.map { "\(start)://\(Self.text(of: $0.place))\($0.path)" } ?? String(start)
    }

    private static func text(of place: HostAndPort) -> String {
        place.port.map { "\(place.host):\($0)" } ?? String(place.host)
    }

    private static func hasUser(_ text: Substring) -> Bool { text.utf8.contains(UInt8(ascii: "@")) }

    /// Returns the text after the last `@`; the whole text if there is no `@`.
    private static func withoutUser(_ text: Substring) -> Substring {
        text.utf8.lastIndex(of: UInt8(ascii: "@")).map { text[text.utf8.index(after: $0)...] } ?? text
    }
}
