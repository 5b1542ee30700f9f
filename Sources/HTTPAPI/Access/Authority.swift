/// The authority of a URI (RFC 3986 §3.2) without user information: the value of `Host`, and what an absolute-form
/// target has between its scheme and its path.
struct Authority: Sendable, Equatable {
    /// In lower case, with the brackets of an IPv6 address. Empty when the text names no host.
    let host: String
    /// `nil`: the text names no port, and the scheme's default counts.
    let port: UInt16?

    /// - Returns: `nil` for a text that is not `host[:port]`, or whose port is above 65535.
    init?(_ text: some StringProtocol) {
        let end = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard !text.contains("@") else { return nil }
        guard let colon = text[end...].firstIndex(of: ":") else {
            (host, port) = (text.lowercased(), nil)
            return
        }
        let digits = text[text.index(after: colon)...]
        host = text[..<colon].lowercased()
        // A port may be empty (RFC 3986 §3.2.3). `UInt16` would take a sign.
        guard !digits.isEmpty else {
            port = nil
            return
        }
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt16(digits)
        else { return nil }
        port = number
    }
}
