import HTTPTypes

/// What is no longer to be used after a request that may have changed it (RFC 9111 §4.4).
enum Invalidation {
    /// RFC 9110 §9.2.1; a method that is not known may change anything.
    static func mayChange(_ method: HTTPRequest.Method) -> Bool {
        ![.get, .head, .options, .trace].contains(method)
    }

    /// The URL itself, and those of the same origin that the answer names: another origin's are not its business.
    static func urls(_ request: OriginRequest, _ head: ResponseHead) -> [String] {
        guard mayChange(request.method), StatusRules.isNonError(head.status) else { return [] }
        let named = [HTTPField.Name.location, .contentLocation]
            .compactMap { URLReference.resolved(head.fields[values: $0].first, against: request.url) }
            .filter { $0 != request.url && URLReference.haveSameOrigin($0, request.url) }
        return [request.url] + named
    }
}
