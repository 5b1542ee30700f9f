import FoundationEssentials
import HTTPTypes

/// The rule for the stored responses that a request with an unsafe method invalidates (RFC 9111 §4.4).
enum Invalidation {
    /// Returns whether a method is unsafe (RFC 9110 §9.2.1). An unknown method counts as unsafe.
    static func mayChange(_ method: HTTPRequest.Method) -> Bool {
        ![.get, .head, .options, .trace].contains(method)
    }

    /// Returns the URL of the request, and the URLs of the same origin that the response names. A response must not
    /// invalidate URLs of another origin.
    static func urls(_ request: OriginRequest, _ head: ResponseHead) -> [String] {
        guard mayChange(request.method), StatusRules.isNonError(head.status) else { return [] }
        let named = [HTTPField.Name.location, .contentLocation]
            .compactMap { URLReference.resolved(head.fields[values: $0].first, against: request.url) }
            .filter { $0 != request.url && URLReference.haveSameOrigin($0, request.url) }
        return [request.url] + named
    }
}

/// The resolution of the URLs in a response against the URL of the request (RFC 3986 §5).
enum URLReference {
    /// Returns the absolute URL without its fragment; `nil` if the reference is absent or malformed.
    static func resolved(_ reference: String?, against base: String) -> String? {
        guard let reference, let base = URL(string: base),
            let url = URL(string: reference, relativeTo: base)?.absoluteURL
        else { return nil }
        return String(url.absoluteString.prefix { $0 != "#" })
    }

    /// Returns whether two URLs have the same scheme, host and port (RFC 9110 §4.3.1).
    static func haveSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let one = origin(one), let other = origin(other) else { return false }
        return one == other
    }

    private static func origin(_ text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased()
        else { return nil }
        let usual = ["http": 80, "https": 443][scheme]
        return "\(scheme)://\(host):\(url.port ?? usual ?? 0)"
    }
}
