import HTTPTypes
import WebURL

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
    /// Returns the absolute URL without its fragment; `nil` if the reference is absent or empty.
    static func resolved(_ reference: String?, against base: String) -> String? {
        guard let reference, !reference.isEmpty else { return nil }
        return URIReference(URIReference(base).resolving(WebURL.withoutSpaces(reference))).removingDotSegments()
    }

    /// Returns whether two URLs have the same scheme, host and port (RFC 9110 §4.3.1).
    static func haveSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let one = try? WebURL(one), let other = try? WebURL(other) else { return false }
        return one.origin == other.origin
    }
}
