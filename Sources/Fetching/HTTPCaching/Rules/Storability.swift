import Base
import HTTPTypes
import NotificationModel

/// The rule for storing a response in a private cache (RFC 9111 §3). `private` in the response and `Authorization` in
/// the request do not prevent storing.
enum Storability {
    static func mayStore(_ head: ResponseHead, to request: OriginRequest) -> Bool {
        let directives = CacheDirectives(head)
        guard isCacheable(request, head, directives), (200...599).contains(head.status), head.status != 304,
            !CacheDirectives(request.fields).contains("no-store"),
            VarySelection.names(in: head) != nil
        else { return false }
        if directives.contains("must-understand") {
            // A server sends `must-understand` together with `no-store`, which is for caches that do not know
            // `must-understand` (RFC 9111 §5.2.2.3).
            guard StatusRules.isUnderstood(head.status) else { return false }
        } else if directives.contains("no-store") {
            return false
        }
        return directives.contains("public") || directives.contains("private") || hasLifetime(head, directives)
            || StatusRules.isHeuristicallyCacheable(head.status)
    }

    /// Returns whether the method allows storing. The response to a `POST` may answer a later `GET` if it has an
    /// explicit lifetime, and its `Content-Location` is the request's URL (RFC 9110 §9.3.3).
    private static func isCacheable(
        _ request: OriginRequest, _ head: ResponseHead, _ directives: CacheDirectives
    ) -> Bool {
        switch request.method {
        case .get: true
        case .post:
            head.status == 200 && hasLifetime(head, directives)
                && URLReference.resolved(head.fields[.contentLocation], against: request.url) == request.url
        default: false
        }
    }

    private static func hasLifetime(_ head: ResponseHead, _ directives: CacheDirectives) -> Bool {
        directives.contains("max-age") || head.value(of: .expires) != nil
    }
}

/// The properties of status codes (RFC 9110 §15).
enum StatusRules {
    /// Returns whether a response with this status may have a heuristic lifetime (RFC 9110 §15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Returns whether the cache knows the rules of a status, which `must-understand` requires (RFC 9111 §5.2.2.3).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// Returns whether an origin refuses the rest of a stored beginning, or sends it encoded. It may send the whole file:
    /// signed URLs and caches of CDNs refuse ranges of such files.
    static func refusesPart(_ result: Result<OriginResponse, MediaFailure>) -> Bool {
        switch result {
        case .success(let response):
            switch response.head.status {
            case 204, 205: true
            // The bytes of a 416 may show that the stored beginning is whole.
            case 416: false
            case let status: status >= 400 && !TemporaryStatus.contains(status)
            }
        case .failure(let failure): failure.reason == .unsupportedMedia
        }
    }

    /// Returns whether a status is a server error to which `stale-if-error` applies (RFC 5861 §4).
    static func isTrouble(_ status: Int) -> Bool {
        [500, 502, 503, 504].contains(status) || TemporaryStatus.ofIntermediaries.contains(status)
    }

    /// Returns whether a response with this status can invalidate stored responses (RFC 9111 §4.4).
    static func isNonError(_ status: Int) -> Bool { (200..<400).contains(status) }

    /// Returns whether conditions and ranges apply to a response with this status (RFC 9110 §13.2.1, §14.2).
    static func isSelected(_ status: Int) -> Bool { status == 200 || status == 206 }
}

/// The rule for the stored responses that a request with an unsafe method invalidates (RFC 9111 §4.4).
enum Invalidation {
    /// Returns whether a method is unsafe (RFC 9110 §9.2.1). An unknown method counts as unsafe.
    static func mayChange(_ method: HTTPRequest.Method) -> Bool { ![.get, .head, .options, .trace].contains(method) }

    /// Returns the URL of the request, and those that the response names of the same origin, never of another one.
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
        return URIReference(URIReference(base).resolving(WebURL.repaired(reference))).removingDotSegments()
    }

    /// Returns whether two URLs have the same scheme, host and port (RFC 9110 §4.3.1).
    static func haveSameOrigin(_ one: String, _ other: String) -> Bool {
        guard let one = try? WebURL(one), let other = try? WebURL(other) else { return false }
        return one.origin == other.origin
    }
}
