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
