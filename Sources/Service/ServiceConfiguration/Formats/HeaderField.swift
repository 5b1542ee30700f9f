/// A header that an origin requires, such as a header with an access token.
package struct HeaderField: Sendable, Equatable {
    /// The name as the operator wrote it, which is a token (RFC 9110 §5.1).
    package let name: String
    /// The value, in visible ASCII, spaces and tabs.
    package let value: SecretText

    /// The headers that the fetcher itself sends.
    private static let reserved: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-modified-since", "if-none-match",
        "if-range", "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Returns the error in a name; `nil` if the name is valid.
    static func problem(withName name: String) -> String? {
        guard !name.isEmpty, name.utf8.allSatisfy(isTokenByte) else {
            return "\(QuotedText.quote(name)) is not a header name: use letters, digits and dashes"
        }
        return reserved.contains(name.lowercased()) ? "\(name) is a header that appgroupd sets itself: remove it" : nil
    }

    /// Returns whether a text is a header's value (RFC 9110 §5.5) in ASCII.
    static func isValue(_ text: String) -> Bool {
        !text.hasPrefix(" ") && !text.hasSuffix(" ") && !text.isEmpty
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == UInt8(ascii: "\t") }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        let scalar = Unicode.Scalar(byte)
        return scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
