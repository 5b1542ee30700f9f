import NotificationModel

/// The parts of an absolute URL (RFC 3986 §3). The parser is strict: it refuses a URL that known parsers read in
/// different ways.
struct StrictURL: Equatable {
    /// The maximum length of a URL, in bytes. RFC 9110 §4.1 recommends to support at least 8,000.
    static let longest = 8_192

    /// The scheme, in lower case.
    let scheme: String
    let host: StrictHost
    /// The port; `nil` if the URL has none.
    let port: UInt16?
    /// The path and the query in ASCII, from the first slash on. The fragment is left out, because it is not sent to
    /// origins.
    let target: String

    init(_ text: String) throws(MediaFailure) {
        try Self.checkCharacters(of: text)
        guard let scheme = Self.scheme(of: text), text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) else {
            throw MediaFailure(.invalidURL, "the URL is not absolute: it must begin with https://")
        }
        // All comparisons compare bytes. In a string, a slash with a combining accent is one character, and not equal
        // to a slash.
        let rest = text.utf8.dropFirst(scheme.utf8.count + 3)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let tail = rest[authority.endIndex...]
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw MediaFailure(.invalidURL, "the URL has a user name or password: remove them")
        }
        guard tail.first == UInt8(ascii: "/") || !tail.contains(UInt8(ascii: "@")) else {
            throw MediaFailure(.invalidURL, "the URL may be read with a user name: write a / after the host")
        }
        self.scheme = scheme
        (host, port) = try Self.hostAndPort(authority)
        target = Self.target(tail)
    }

    /// Returns the text before the first colon in lower case, if it can be a scheme (RFC 3986 §3.1); otherwise `nil`.
    static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        guard let first = scheme.first, first.isASCIILetter, scheme.allSatisfy(isInSchemes) else { return nil }
        return String(Substring(scheme)).lowercased()
    }

    private static func isInSchemes(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit
            || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
    }

    /// Whether all parsers read the path and the query in the same way.
    var isPlain: Bool { CanonicalURL.isPlain(target.utf8.span, from: 0) }

    static func checkLength(of text: String) throws(MediaFailure) {
        guard text.utf8.count <= longest else {
            throw MediaFailure(.invalidURL, "the URL is longer than \(longest) bytes")
        }
    }

    /// Refuses characters that some parsers remove or replace.
    static func checkCharacters(of text: String) throws(MediaFailure) {
        try checkLength(of: text)
        for byte in text.utf8 {
            switch byte {
            case 0: throw MediaFailure(.invalidURL, "the URL contains a NUL character")
            case UInt8(ascii: " "): throw MediaFailure(.invalidURL, "the URL contains a space: write it as %20")
            case UInt8(ascii: "\\"): throw MediaFailure(.invalidURL, "the URL contains a backslash: write it as %5C")
            case ..<0x20, 0x7F: throw MediaFailure(.invalidURL, "the URL contains a control character")
            default: continue
            }
        }
    }

    private static func hostAndPort(_ authority: Substring.UTF8View) throws(MediaFailure) -> (StrictHost, UInt16?) {
        // A colon within brackets is part of an IPv6 address.
        let isBracketed = authority.first == UInt8(ascii: "[")
        let start =
            isBracketed ? authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.endIndex : authority.startIndex
        guard let colon = authority[start...].firstIndex(of: UInt8(ascii: ":")) else {
            return (try StrictHost(String(Substring(authority))), nil)
        }
        let host = try StrictHost(String(Substring(authority[..<colon])))
        return (host, try port(Substring(authority[authority.index(after: colon)...])))
    }

    /// Parses a port; returns `nil` if the text is empty, which means the default port. Only digits are accepted,
    /// because other parsers accept signs and too large numbers.
    private static func port(_ digits: Substring) throws(MediaFailure) -> UInt16? {
        if digits.isEmpty { return nil }
        guard digits.utf8.allSatisfy(\.isASCIIDigit),
            let port = UInt16(digits), port > 0
        else { throw MediaFailure(.invalidURL, "the port of the URL is not a number from 1 to 65535") }
        return port
    }

    private static func target(_ tail: Substring.UTF8View) -> String {
        let tail = tail.prefix { $0 != UInt8(ascii: "#") }
        var target = tail.first == UInt8(ascii: "/") ? "" : "/"
        guard !tail.allSatisfy({ $0 < 0x80 }) else { return target + Substring(tail) }
        for byte in tail {
            if byte < 0x80 {
                target.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                target += "%" + String(byte, radix: 16, uppercase: true)
            }
        }
        return target
    }
}

extension UInt8 {
    var isASCIILetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }

    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
