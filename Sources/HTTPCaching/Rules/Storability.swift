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
