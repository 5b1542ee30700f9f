package import MediaTypes
package import NotificationModel

/// The URL of a media item as the payload contains it, split into its parts without any repair (RFC 3986 §3).
struct MediaURL {
    enum Problem: Equatable {
        case hasSpace
        case hasControl
        /// The URL contains this scalar, which must be percent-encoded.
        case hasForeign(Unicode.Scalar)
        case isRelative
        case hasNoHost
        case hasBadHost
        case hasBadPort
        case hasBadPercent
    }

    /// The scheme in lower case. The value is `nil` if the URL is relative.
    let scheme: String?
    let host: String?
    let hasCredentials: Bool
    /// The last extension of the path in lower case, without the dot. The value is `nil` if the path has no extension.
    let fileExtension: String?
    let problem: Problem?

    init(_ text: String) {
        let bytes = Array(text.utf8)
        let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        let first = bytes.firstIndex { "/?#".utf8.contains($0) } ?? bytes.count
        var scheme: String?
        if let colon, colon < first, Self.isScheme(bytes[..<colon]) {
            scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
        }
        let rest = scheme == nil ? bytes[...] : bytes[(colon.map { $0 + 1 } ?? 0)...]
        let authority = rest.starts(with: "//".utf8) ? rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) } : nil
        let path = rest.dropFirst(authority.map { $0.count + 2 } ?? 0).prefix { !"?#".utf8.contains($0) }
        let at = authority?.lastIndex(of: UInt8(ascii: "@"))
        let (host, port) = Self.hostAndPort(authority.map { $0[(at.map { $0 + 1 } ?? $0.startIndex)...] } ?? [])
        self.scheme = scheme
        self.host = host.isEmpty ? nil : String(decoding: host, as: UTF8.self).lowercased()
        hasCredentials = at != nil
        fileExtension = Self.fileExtension(of: path)
        problem =
            Self.letterProblem(of: text)
            ?? (scheme == nil ? .isRelative : ["http", "https"].contains(scheme) ? Self.webProblem(host, port) : nil)
    }

    private static func webProblem(_ host: ArraySlice<UInt8>, _ port: ArraySlice<UInt8>?) -> Problem? {
        if host.isEmpty { return .hasNoHost }
        if !isHost(host) { return .hasBadHost }
        return isPort(port) ? nil : .hasBadPort
    }

    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func hostAndPort(_ authority: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, ArraySlice<UInt8>?) {
        if authority.first == UInt8(ascii: "["), let end = authority.firstIndex(of: UInt8(ascii: "]")) {
            let port = authority[(end + 1)...]
            return (authority[...end], port.isEmpty ? nil : port)
        }
        guard let colon = authority.firstIndex(of: UInt8(ascii: ":")) else { return (authority, nil) }
        return (authority[..<colon], authority[colon...])
    }

    /// Returns whether a port is valid: 1 to 65,535, or empty.
    ///
    /// - Parameter port: The port with its colon. `nil` means that the URL has no port.
    private static func isPort(_ port: ArraySlice<UInt8>?) -> Bool {
        guard let port else { return true }
        let digits = port.dropFirst()
        guard port.first == UInt8(ascii: ":"), digits.allSatisfy(isDigit) else { return false }
        return digits.isEmpty || Int(String(decoding: digits, as: UTF8.self)).map { (1...65_535).contains($0) } == true
    }

    private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") {
            if case .v6 = IPAddress(String(decoding: host.dropFirst().dropLast(), as: UTF8.self)) { return true }
            return false
        }
        // The resolver looks up names in other scripts in their ASCII form. A final dot stands for the DNS root.
        return !host.starts(with: ".".utf8)
            && host.allSatisfy { $0 >= 0x80 || isLetter($0) || isDigit($0) || "-._".utf8.contains($0) }
    }

    private static func letterProblem(of text: String) -> Problem? {
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ": return .hasSpace
            case "\0"..."\u{1F}", "\u{7F}": return .hasControl
            case "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "\u{FFFD}": return .hasForeign(scalar)
            default: continue
            }
        }
        let bytes = Array(text.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard index + 2 < bytes.count, isHexadecimal(bytes[index + 1]), isHexadecimal(bytes[index + 2]) else {
                return .hasBadPercent
            }
        }
        return nil
    }

    private static func fileExtension(of path: ArraySlice<UInt8>) -> String? {
        let name = path.suffix(while: { $0 != UInt8(ascii: "/") })
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
        let letters = name[(dot + 1)...]
        guard (1...8).contains(letters.count), letters.allSatisfy({ isLetter($0) || isDigit($0) }) else { return nil }
        return String(decoding: letters, as: UTF8.self).lowercased()
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func suffix(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        self[(lastIndex { !belongs($0) }.map { $0 + 1 } ?? startIndex)...]
    }
}

/// The result of fetching one media item.
package enum MediaFact: Sendable, Equatable {
    case failed(MediaFailure)
    /// The media item was fetched.
    ///
    /// - Parameter format: The format of the first bytes. `nil` means that the format is unknown.
    /// - Parameter declaredType: The `Content-Type` of the origin. The value is `nil` if the response has none.
    case fetched(byteCount: Int, format: MediaFormat?, declaredType: String?)
}
