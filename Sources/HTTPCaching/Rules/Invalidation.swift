import FoundationEssentials
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

/// URLs that a response names, seen from the one it was asked for (RFC 3986 §5).
enum URLReference {
    /// Absolute, without a fragment; `nil` where there is none or it is no URL.
    static func resolved(_ reference: String?, against base: String) -> String? {
        guard let reference, let base = URL(string: base),
            let url = URL(string: reference, relativeTo: base)?.absoluteURL
        else { return nil }
        return String(url.absoluteString.prefix { $0 != "#" })
    }

    /// RFC 9110 §4.3.1.
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
