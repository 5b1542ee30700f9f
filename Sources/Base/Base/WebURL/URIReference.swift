/// The parts of a URI or of a relative reference, as written (RFC 3986 §4.1 and appendix B).
///
/// Every text has these parts. Only the characters of the scheme are checked. `WebURL` checks all parts. All
/// comparisons compare bytes: in a string, a slash with a combining accent is one character, and not equal to a slash.
package struct URIReference: Sendable {
    private let text: Substring
    /// The scheme, in lower case; `nil` if the text has no scheme.
    package let scheme: String?
    /// The user information, the host and the port; `nil` if the text has no `//`.
    package let authority: Substring?
    package let path: Substring
    /// The text between the question mark and the fragment; `nil` if there is no question mark.
    package let query: Substring?
    /// The text after the number sign; `nil` if there is no number sign.
    package let fragment: Substring?

    package init(_ text: some StringProtocol) {
        let text = Substring(text)
        self.text = text
        scheme = Self.scheme(of: text)
        var rest = text.utf8
        if let scheme { rest = rest.dropFirst(scheme.utf8.count + 1) }
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix {
                $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            }
            self.authority = Substring(authority)
            rest = rest[authority.endIndex...]
        } else {
            authority = nil
        }
        let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        self.path = Substring(path)
        rest = rest[path.endIndex...]
        if rest.first == UInt8(ascii: "?") {
            let query = rest.dropFirst().prefix { $0 != UInt8(ascii: "#") }
            self.query = Substring(query)
            rest = rest[query.endIndex...]
        } else {
            query = nil
        }
        fragment = rest.isEmpty ? nil : Substring(rest.dropFirst())
    }

    /// Returns the text before the first colon in lower case, if it can be a scheme (RFC 3986 §3.1); otherwise `nil`.
    package static func scheme(of text: some StringProtocol) -> String? {
        let bytes = Substring(text).utf8
        let end = bytes.firstIndex { !($0.isASCIILetterOrDigit || "+-.".utf8.contains($0)) }
        guard let end, bytes[end] == UInt8(ascii: ":"), bytes.first?.isASCIILetter == true else { return nil }
        return Substring(bytes[..<end]).lowercased()
    }

    /// The path and the query as written.
    package var target: Substring { text[path.startIndex..<(query?.endIndex ?? path.endIndex)] }

    package var withoutFragment: Substring { text[..<target.endIndex] }

    /// Whether the authority has user information, which may be empty.
    package var hasUserInformation: Bool { authority?.utf8.contains(UInt8(ascii: "@")) ?? false }

    /// The host and the port without user information, which ends at the last `@`; `nil` if there is no authority.
    package var hostAndPort: HostAndPort? {
        authority.map { authority in
            let user = authority.utf8.lastIndex(of: UInt8(ascii: "@"))
            return HostAndPort(user.map { authority[authority.utf8.index(after: $0)...] } ?? authority)
        }
    }

    /// Returns the target of a reference that this URI's representation contains (RFC 3986 §5.2). The dot segments of
    /// the target are not removed.
    package func resolving(_ reference: String) -> String {
        let relative = URIReference(reference)
        if relative.scheme != nil { return reference }
        if relative.authority != nil { return (scheme.map { $0 + ":" } ?? "") + reference }
        if relative.target.isEmpty { return String(withoutFragment) }
        if relative.path.isEmpty { return String(text[..<path.endIndex]) + reference }
        if relative.path.utf8.first == UInt8(ascii: "/") { return String(text[..<path.startIndex]) + reference }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return String(text[..<path.startIndex]) + (authority == nil ? "" : "/") + reference
        }
        return String(text[...slash]) + reference
    }

    /// Returns the text without the fragment, and without the dot segments of the path (RFC 3986 §5.2.4).
    package func removingDotSegments() -> String {
        guard path.utf8.first == UInt8(ascii: "/") else { return String(withoutFragment) }
        var segments: [Substring] = []
        let written = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { Substring($0) }
        for (index, segment) in written.enumerated() {
            let isLast = index == written.count - 1
            switch segment {
            case ".": if isLast { segments.append("") }
            case "..":
                _ = segments.popLast()
                if isLast { segments.append("") }
            default: segments.append(segment)
            }
        }
        let cleaned = segments.joined(separator: "/")
        return "\(text[..<path.startIndex])/\(cleaned)\(text[path.endIndex..<target.endIndex])"
    }
}
