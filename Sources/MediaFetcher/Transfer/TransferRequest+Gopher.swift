import WebURL

extension TransferRequest {
    /// Returns the URL with which libcurl sends the request unchanged and delivers the response unparsed.
    ///
    /// libcurl does not accept an HTTP/1 response with a header line without a colon. With the scheme `gopher`, or
    /// `gophers` over TLS, libcurl sends the decoded bytes of the path and then `CR LF`. libcurl then reads until the
    /// connection closes (RFC 1436). The rules for addresses, certificates and limits apply as in any other transfer.
    func gopherURL(userAgent: String) -> String {
        let scheme = isSecure ? "gophers" : "gopher"
        // The first character of a Gopher path is its type, and is not sent.
        return scheme + origin.drop { $0 != ":" } + "/_" + PercentEncoding.text(of: head(userAgent: userAgent))
    }

    /// Returns the request line and the header fields, as libcurl sends them. libcurl adds the empty line.
    private func head(userAgent: String) -> String {
        let url = URIReference(url)
        let host = url.authority ?? ""
        let own = [
            "Host: \(host)", "User-Agent: \(userAgent)", "Accept: */*",
            "Accept-Encoding: \(ResponseInfo.acceptedEncodings)",
        ]
        // A field that is configured for the host replaces the field of the daemon.
        let names = Set(headers.map(Self.name))
        let lines = own.filter { !names.contains(Self.name($0)) } + headers + ["Connection: close"]
        return (["\(method) \(url.target) HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n"
    }

    private static func name(_ line: String) -> String { line.prefix { $0 != ":" && $0 != ";" }.lowercased() }
}
