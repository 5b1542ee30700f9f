import Base

/// A file in Matrix's content repository, `mxc://server/id`, with the URLs at which it can be downloaded.
///
/// The grammar is that of the Matrix specification: "Server Name" in the appendices, and media IDs of `[A-Za-z0-9_-]+`
/// ("Security considerations" of the content repository). The parser is strict, because the parts become parts of a
/// URL.
package struct MatrixMedia: Sendable, Hashable {
    /// The longest host name (the specification's limit) and the longest media ID, in bytes. Media IDs of homeservers
    /// have about 24 bytes.
    private static let maxLength = 255
    /// The longest label of a host name, in bytes (RFC 1035 §2.3.4).
    private static let maxLabel = 63

    /// A host name, an IPv4 address or an IPv6 address in brackets, with or without a port.
    package let serverName: String
    package let mediaID: String

    /// Creates the file's reference; `nil` if the text is not such a reference.
    package init?(_ reference: String) {
        // The scheme of a Matrix reference is in lower case. A query or a fragment is invalid, even an empty one.
        let parts = URIReference(reference)
        guard reference.utf8.starts(with: "mxc:".utf8), let server = parts.authority.map(String.init),
            parts.target == parts.path, parts.fragment == nil
        else { return nil }
        let id = String(parts.path.dropFirst())
        guard Self.isMediaID(id), Self.isServerName(server) else { return nil }
        serverName = server
        mediaID = id
    }

    /// Returns the base URL of the server that has the file, without a slash at its end.
    ///
    /// - Parameter homeserver: The base URL of the recipient's own homeserver, `https://hs.example`, which also has the
    ///   files of other servers. If it is `nil`, the server is the one that the reference names.
    func base(homeserver: String?) -> String {
        var base = homeserver ?? "https://\(serverName)"
        while base.hasSuffix("/") { base.removeLast() }
        return base
    }

    /// Returns the URL of the file below a path of a content repository.
    func url(at path: String, of base: String) -> String {
        "\(base)/\(path.hasPrefix("_") ? "" : "_matrix/")\(path)/download/\(serverName)/\(mediaID)"
    }

    private static func isMediaID(_ text: String) -> Bool {
        (1...maxLength).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }

    private static func isServerName(_ text: String) -> Bool {
        let place = HostAndPort(text)
        guard IPAddress(bracketed: place.host) != nil || isHost(place.host) else { return false }
        guard let port = place.port else { return true }
        return (1...5).contains(port.utf8.count) && place.portNumber.map { $0 > 0 } == true
    }

    /// Returns whether the text is a host name in the letters of DNS, without empty labels, or an IPv4 address. Some
    /// programs would read other names that end in a number as an address (`127.1`). Such names are refused.
    private static func isHost(_ text: Substring) -> Bool {
        guard (1...maxLength).contains(text.utf8.count) else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last else { return false }
        let isNumber = last.allSatisfy(\.isASCIIDigit) || last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8)
        guard isNumber else { return true }
        if case .v4 = IPAddress(String(text)) { return true }
        return false
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...maxLabel).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { $0.isASCIILetterOrDigit || $0 == hyphen }
    }
}
