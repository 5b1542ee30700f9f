import Base

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
    /// The name in lower case, or the standard text of the address without brackets.
    package let host: String
    /// The port as written, 1…65535; `nil` if the URL has no port.
    package let port: UInt16?
    /// The path, which is empty or begins with a slash.
    package let path: String

    init(_ text: String) throws(Problem) {
        guard !text.utf8.contains(where: { "?#".utf8.contains($0) }) else { throw .query }
        let reference = URIReference(text)
        guard let scheme = reference.scheme, let authority = reference.authority else { throw .form }
        guard !reference.hasUserInformation else { throw .credentials }
        guard ["https", "http"].contains(scheme), authority.utf8.last != UInt8(ascii: ":"),
            let url = try? WebURL(text), let host = HostText.parse(url.host.text),
            let path = Self.path(reference.path)
        else { throw .form }
        self.scheme = scheme
        self.host = host
        port = url.port
        self.path = path
    }

    /// The port, or the default port of the scheme.
    package var effectivePort: UInt16 { port ?? WebURL.defaultPort(of: scheme) }

    package var description: String {
        "\(scheme)://\(HostAndPort.bracketed(host))\(port.map { ":\($0)" } ?? "")\(path)"
    }

    /// Returns a path without the slashes at its end. The result is `nil` if a segment is empty, `.` or `..`, or has a
    /// character that RFC 3986 §3.3 does not allow.
    static func path(_ text: Substring) -> String? {
        var text = text
        while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        guard !text.isEmpty else { return "" }
        let segments = text.dropFirst().utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPath = segments.allSatisfy { segment in
            !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
                && segment.allSatisfy(isPathByte)
        }
        return isPath && PercentEncoding.isWellFormed(text) ? String(text) : nil
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-._~!$&'()*+,;=:@%".utf8.contains(byte)
    }
}
