import HTTPTypes

/// What may be stored (RFC 9111 §3), in a private cache: `private` may be, and whether the request had an
/// `Authorization` makes no difference.
enum Storability {
    static func mayStore(_ head: ResponseHead, to request: OriginRequest) -> Bool {
        let directives = CacheDirectives(head.fields)
        guard isCacheable(request, head, directives), (200...599).contains(head.status), head.status != 304,
            !CacheDirectives(request.fields).contains("no-store"),
            VarySelection.names(in: head.fields) != nil
        else { return false }
        if directives.contains("must-understand") {
            // It is sent together with `no-store`, for those who do not know it (§5.2.2.3).
            guard StatusRules.isUnderstood(head.status) else { return false }
        } else if directives.contains("no-store") {
            return false
        }
        return directives.contains("public") || directives.contains("private") || hasLifetime(head, directives)
            || StatusRules.isHeuristicallyCacheable(head.status)
    }

    /// The answer to a `POST` may be given to a later `GET` where it says both what it is an answer for and for how
    /// long (RFC 9110 §9.3.3).
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
        directives.contains("max-age") || head.fields.contains(.expires)
    }
}

/// What is known about status codes (RFC 9110 §15).
enum StatusRules {
    /// Those that may be fresh by guessing (§15.1).
    static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
    }

    /// Those whose meaning for caches is understood here: `must-understand` asks for it (RFC 9111 §5.2.2.3).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200...206, 300...303, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    /// An origin that is in trouble, for `stale-if-error` (RFC 5861 §4).
    static func isTrouble(_ status: Int) -> Bool { [500, 502, 503, 504].contains(status) }

    /// What `Location` and what is stored for the URL are invalidated by (RFC 9111 §4.4).
    static func isNonError(_ status: Int) -> Bool { (200..<400).contains(status) }

    /// Responses that conditions and ranges of a request are about (RFC 9110 §13.2.1, §14.2).
    static func isSelected(_ status: Int) -> Bool { status == 200 || status == 206 }
}
