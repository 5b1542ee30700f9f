import NotificationModel

/// A file in Matrix's content repository, `mxc://server/id`, with the URLs at which it can be downloaded.
///
/// The grammar is that of the Matrix specification: "Server Name" in the appendices, and media IDs of `[A-Za-z0-9_-]+`
/// ("Security considerations" of the content repository). The parser is strict, because the parts become parts of a
/// URL.
package struct MatrixMedia: Sendable, Hashable {
    /// The longest host name (the specification's limit) and the longest media ID, in bytes. Media IDs of homeservers
    /// have about 24 bytes.
    private static let longest = 255
    /// The longest label of a host name, in bytes (RFC 1035 §2.3.4).
    private static let longestLabel = 63

    /// A host name, an IPv4 address or an IPv6 address in brackets, with a port or without.
    package let serverName: String
    package let mediaID: String

    /// Creates the file's reference; `nil` if the text is no such reference.
    package init?(_ reference: String) {
        let scheme = "mxc://"
        // Bytes are compared, because a character may have combining marks.
        guard reference.utf8.starts(with: scheme.utf8) else { return nil }
        let parts = reference.utf8.dropFirst(scheme.utf8.count).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, let server = String(parts[0]), let id = String(parts[1]),
            Self.isMediaID(id), Self.isServerName(server)
        else { return nil }
        serverName = server
        mediaID = id
    }

    /// Returns the URLs to try, in this order: the download that needs a token, and the older one that some servers
    /// still have.
    ///
    /// - Parameter homeserver: The base URL of the receiver's own homeserver, `https://hs.example`, which also has the
    ///   files of other servers. If it is `nil`, the URLs are on the server that the reference names.
    package func urls(homeserver: String? = nil) -> [String] {
        var base = homeserver ?? "https://\(serverName)"
        while base.hasSuffix("/") { base.removeLast() }
        return ["client/v1/media", "media/v3"].map { "\(base)/_matrix/\($0)/download/\(serverName)/\(mediaID)" }
    }

    private static func isMediaID(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    }

    private static func isServerName(_ text: String) -> Bool {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return false }
            let address = text[text.index(after: text.startIndex)..<end]
            guard case .v6 = IPAddress(String(address)) else { return false }
            return isPortSuffix(text[text.index(after: end)...])
        }
        let host = text.prefix { $0 != ":" }
        return isHost(host) && isPortSuffix(text[host.endIndex...])
    }

    private static func isPortSuffix(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.dropFirst()
        guard text.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(isDigit),
            let port = Int(digits)
        else { return false }
        return (1...65_535).contains(port)
    }

    /// Returns whether the text is a host name in the letters of DNS, without empty labels, or an IPv4 address. Some
    /// programs would read other names that end in a number as an address (`127.1`). Such names are refused.
    private static func isHost(_ text: Substring) -> Bool {
        guard (1...longest).contains(text.utf8.count) else { return false }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last else { return false }
        let isNumber = last.allSatisfy(isDigit) || last.starts(with: "0x".utf8) || last.starts(with: "0X".utf8)
        guard isNumber else { return true }
        if case .v4 = IPAddress(String(text)) { return true }
        return false
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return (1...longestLabel).contains(label.count) && label.first != hyphen && label.last != hyphen
            && label.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
