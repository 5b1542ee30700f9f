/// What may be said of a URL in a log: scheme, host and path.
///
/// Queries carry tokens, fragments and user information carry secrets, parameters behind a semicolon carry sessions. What
/// cannot be told apart for sure is not shown. Pure, and stricter than any parser that connects: what is shown is for
/// people, and decides nothing.
package enum LoggableURL {
    /// At most so many characters are shown.
    package static let mostCharacters = 512

    /// Printable ASCII, whatever the text is.
    package static func text(of url: String) -> String {
        let bytes = Array(url.utf8.drop { $0 <= 0x20 })
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else {
            return "(no absolute URL)"
        }
        let scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        let afterScheme = bytes[(colon + 1)...]
        // data:, mailto: and the like have no host: all that follows is content.
        guard afterScheme.starts(with: "//".utf8) else { return "\(scheme):..." }
        let hierarchy = afterScheme.dropFirst(2)
        let authorityEnd = hierarchy.firstIndex { "/?#".utf8.contains($0) } ?? hierarchy.endIndex
        var authority = hierarchy[..<authorityEnd]
        // The last one: a password may hold others, unescaped.
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[(at + 1)...] }
        let rest = hierarchy[authorityEnd...]
        // Behind a port, an @ may be the end of a password that holds a slash.
        let mayBePassword = authority.contains(UInt8(ascii: ":")) && rest.contains(UInt8(ascii: "@"))
        guard !mayBePassword, let host = shownHost(authority) else { return "\(scheme)://(unreadable)" }
        let path = rest.prefix { !"?#;".utf8.contains($0) }
        return cut("\(scheme)://\(host)\(percentEncoded(path))")
    }

    /// RFC 3986 §3.1, and no longer than any that is registered.
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first), bytes.count <= 32 else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    /// Host and port, or `nil` where the part behind the last colon is no port: then it may be half of a password that
    /// holds a slash.
    private static func shownHost(_ authority: ArraySlice<UInt8>) -> String? {
        guard !authority.isEmpty else { return nil }
        var host = authority
        if authority.first == UInt8(ascii: "[") {
            guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let address = authority[(authority.startIndex + 1)..<bracket]
            guard address.allSatisfy({ isHexadecimal($0) || ":.".utf8.contains($0) }) else { return nil }
            host = authority[(bracket + 1)...]
            guard host.isEmpty || host.first == UInt8(ascii: ":") else { return nil }
        } else {
            guard authority.first != UInt8(ascii: ":"), authority.count(where: { $0 == UInt8(ascii: ":") }) <= 1 else {
                return nil
            }
        }
        if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
            let port = host[(colon + 1)...]
            guard (1...5).contains(port.count), port.allSatisfy(isDigit) else { return nil }
        }
        return percentEncoded(authority)
    }

    private static func percentEncoded(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { byte in
            if (0x21...0x7E).contains(byte), !"\"<>\\^`{|}".utf8.contains(byte) {
                return String(Unicode.Scalar(byte))
            }
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }

    private static func cut(_ text: String) -> String {
        text.utf8.count <= mostCharacters ? text : text.prefix(mostCharacters - 3) + "..."
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}
