/// A URL to which the paths of other URLs are appended, such as `https://media.example.com/push`. It has no
/// credentials, query or fragment, and no slash at its end.
package struct BaseURL: Sendable, Equatable, CustomStringConvertible {
    /// The reason for which a text is not a base URL.
    enum Problem: Error, Equatable {
        /// The text has a user name or a password before the host.
        case credentials
        /// The text has a query or a fragment.
        case query
        /// The text is not an `https` or `http` URL with a valid host, port and path.
        case form
    }

    /// The scheme: `https` or `http`.
    package let scheme: String
    /// The host in lower case; an IPv6 address has no brackets.
    package let host: String
    /// The port, 1…65535; `nil` if the URL has the default port of the scheme.
    package let port: Int?
    /// The path, which is empty or begins with a slash.
    package let path: String

    init(_ text: String) throws(Problem) {
        guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { throw .query }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8)
        else { throw .form }
        let scheme = text[..<colon].lowercased()
        let rest = text.utf8[colon...].dropFirst(3)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        guard !rest[..<end].contains(UInt8(ascii: "@")) else { throw .credentials }
        guard ["https", "http"].contains(scheme), let authority = Authority(text[rest.startIndex..<end]),
            let path = Self.path(text[end...])
        else { throw .form }
        self.scheme = scheme
        host = authority.host
        port = authority.port
        self.path = path
    }

    package var description: String {
        "\(scheme)://\(host.contains(":") ? "[\(host)]" : host)\(port.map { ":\($0)" } ?? "")\(path)"
    }

    private struct Authority {
        let host: String
        let port: Int?

        init?(_ text: Substring) {
            let bracket = text.lastIndex(of: "]") ?? text.startIndex
            if let colon = text[bracket...].lastIndex(of: ":") {
                let digits = String(text[text.index(after: colon)...])
                guard let port = WholeNumberText.parse(digits), (1...65_535).contains(port) else { return nil }
                self.port = port
            } else {
                port = nil
            }
            let written = text[..<(text[bracket...].lastIndex(of: ":") ?? text.endIndex)]
            guard let host = HostText.parse(inURL: written) else { return nil }
            self.host = host
        }
    }

    /// Returns a path without the slashes at its end. The result is `nil` if a segment is empty, `.` or `..`, or has a
    /// character that RFC 3986 §3.3 does not allow.
    private static func path(_ text: Substring) -> String? {
        var text = text
        while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        guard !text.isEmpty else { return "" }
        let segments = text.dropFirst().utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPath = segments.allSatisfy { segment in
            !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                && isSegment(Array(segment))
        }
        return isPath ? String(text) : nil
    }

    private static func isSegment(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { index in
            guard bytes[index] == UInt8(ascii: "%") else { return isPathByte(bytes[index]) }
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count == 2 && digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
        }
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }
}
