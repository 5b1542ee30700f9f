import NotificationModel

/// The parts of a URL that a batch needs before the URL is validated.
package enum MediaHost {
    /// Returns the host and the port of a URL, in lower case: `cdn.example`, `127.0.0.1:8499`. The default port of the
    /// scheme is left out. The text is empty for a URL without a host, such as a `data:` URL.
    package static func of(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://"), !url.lowercased().hasPrefix("data:") else { return "" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let host = (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
            .lowercased()
        let port = url[..<scheme.lowerBound].lowercased() == "https" ? ":443" : ":80"
        return host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    }

    /// Returns a URL as reports show it: without credentials, query and fragment, and with at most 200 characters.
    package static func shown(_ url: String) -> String {
        let url = InlineMedia.shown(url)
        let plain = url.prefix { !"?#".contains($0) }
        guard let scheme = plain.firstRange(of: "://") else { return VisibleText.short(String(plain), most: longest) }
        let rest = plain[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return VisibleText.short(
            "\(plain[..<scheme.upperBound])\(host)\(rest[authority.endIndex...])", most: longest)
    }

    private static let longest = 200
}
