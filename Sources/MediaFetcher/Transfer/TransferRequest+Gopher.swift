import NotificationModel

extension TransferRequest {
    /// The URL with which libcurl sends the request as it is, and hands over the response as it comes.
    ///
    /// libcurl reads no response of HTTP/1 whose head has a line without a colon. With the scheme `gopher`, over TLS
    /// `gophers`, it sends the bytes that the path stands for, then `CR LF`, and reads until the connection closes
    /// (RFC 1436). Addresses, certificates and limits are those of any other transfer.
    func gopherURL(userAgent: String) -> String {
        let scheme = isSecure ? "gophers" : "gopher"
        // The first character of a path is its type, and is not sent.
        return scheme + origin.drop { $0 != ":" } + "/_" + PercentEncoding.text(of: head(userAgent: userAgent))
    }

    /// The request line and the fields, as libcurl sends them. libcurl adds the empty line.
    private func head(userAgent: String) -> String {
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let host = rest.prefix { $0 != "/" }
        let own = [
            "Host: \(host)", "User-Agent: \(userAgent)", "Accept: */*",
            "Accept-Encoding: \(ResponseInfo.acceptedEncodings)",
        ]
        // A field that is configured for the host takes the place of the program's own.
        let names = Set(headers.map(Self.name))
        let lines = own.filter { !names.contains(Self.name($0)) } + headers + ["Connection: close"]
        return (["\(method) \(rest.dropFirst(host.utf8.count)) HTTP/1.1"] + lines).joined(separator: "\r\n") + "\r\n"
    }

    private static func name(_ line: String) -> String { line.prefix { $0 != ":" && $0 != ";" }.lowercased() }
}
