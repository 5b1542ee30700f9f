/// A URL of a payload before its validation, for the grouping of requests and for reports.
///
/// The text may be malformed or hostile, so no request is made with these parts. The text is split at its first `://`,
/// even if the text before it is not a scheme. Credentials after a malformed scheme are therefore not shown.
package struct UncheckedURL {
    /// The text before `://`, or before the query or the fragment if there is no `://`.
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
        start = Substring(plain[..<(colon ?? plain.endIndex)])
        rest = colon.map { URIReference(text[bytes.index(after: $0)...]) }
    }

    /// The host and the port as written, but in lower case and without user information; `nil` if there is no `://`.
    package var hostAndPort: String? {
        rest?.hostAndPort.map { place in place.port.map { "\(place.host):\($0)" } ?? String(place.host) }?.lowercased()
    }

    /// The host and the port in lower case, without the default port of the scheme; `nil` if there is no `://`.
    package var hostAndOwnPort: String? {
        let usual = start.lowercased() == "https" ? ":443" : ":80"
        return hostAndPort.map { $0.hasSuffix(usual) ? String($0.dropLast(usual.utf8.count)) : $0 }
    }

    /// The text without user information, query and fragment.
    package var redacted: String {
        guard let rest, let place = rest.hostAndPort else { return String(start) }
        return "\(start)://\(place.host)\(place.port.map { ":\($0)" } ?? "")\(rest.path)"
    }
}
