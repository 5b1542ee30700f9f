import Base
import FoundationEssentials

/// The cookies of one fetch (RFC 6265). Some origins redirect to the same URL until the request has their cookie, and
/// URLSession supports such redirects too. The cookies are removed at the end of the fetch.
struct RedirectCookies {
    private static let maxCookies = 32
    /// The maximum length of one cookie with its attributes, in bytes (RFC 6265 §6.1).
    private static let maxBytes = 4_096

    private struct Cookie {
        var name: String
        var value: String
        var domain: String
        /// Whether the cookie is also sent to the subdomains of `domain`.
        var includesSubdomains = false
        var path: String
        var isSecure = false
    }

    private var cookies: [Cookie] = []

    /// Stores the cookies in the values of the `Set-Cookie` fields of a response.
    mutating func note(_ lines: [String], from url: ValidatedURL, at date: Date = .now) {
        for line in lines.prefix(Self.maxCookies) where line.utf8.count <= Self.maxBytes {
            note(line, from: url, at: date)
        }
    }

    /// Returns the value of the `Cookie` field for a request; `nil` if no cookie belongs to its URL.
    func field(for url: ValidatedURL) -> String? {
        let (host, path) = (url.host, Self.path(of: url))
        let sent = cookies.filter { cookie in
            (!cookie.isSecure || url.isSecure) && Self.matches(host, cookie) && Self.isPath(path, below: cookie.path)
        }
        guard !sent.isEmpty else { return nil }
        return sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private mutating func note(_ line: String, from url: ValidatedURL, at date: Date) {
        var parts = line.split(separator: ";", omittingEmptySubsequences: false).map { Self.pair($0) }
        let (name, value) = parts.removeFirst()
        guard !name.isEmpty, let value else { return }
        var cookie = Cookie(name: name, value: value, domain: url.host, path: Self.defaultPath(of: url))
        var isOver = false
        for (attribute, value) in parts {
            switch (attribute.lowercased(), value) {
            case ("domain", let domain?) where !domain.isEmpty:
                cookie.domain = String(domain.drop { $0 == "." }).lowercased()
                cookie.includesSubdomains = true
            case ("path", let path?) where path.hasPrefix("/"): cookie.path = path
            case ("secure", _): cookie.isSecure = true
            case ("max-age", let seconds?): isOver = (Int(seconds) ?? 1) <= 0
            case ("expires", let text?): isOver = HTTPDate.read(text, now: date).map { $0 <= date } ?? false
            default: break
            }
        }
        // A host may set cookies for itself and for its parent domains, but not for a top-level domain.
        let isOwn = !cookie.includesSubdomains || cookie.domain == url.host
        guard isOwn || cookie.domain.contains(".") && Self.matches(url.host, cookie) else { return }
        cookies.removeAll { $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path }
        if !isOver, cookies.count < Self.maxCookies { cookies.append(cookie) }
    }

    private static func pair(_ text: Substring) -> (String, String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0.trimmingBlanks) }
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    private static func matches(_ host: String, _ cookie: Cookie) -> Bool {
        host == cookie.domain || cookie.includesSubdomains && host.hasSuffix("." + cookie.domain)
    }

    private static func isPath(_ path: String, below directory: String) -> Bool {
        guard path.hasPrefix(directory) else { return false }
        return path.count == directory.count || directory.hasSuffix("/")
            || path.dropFirst(directory.count).hasPrefix("/")
    }

    /// Returns the path of a URL without its query (RFC 6265 §5.1.4).
    private static func path(of url: ValidatedURL) -> String { String(URIReference(url.text).path) }

    private static func defaultPath(of url: ValidatedURL) -> String {
        let path = path(of: url)
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
