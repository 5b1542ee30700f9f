import HTTPCaching
import HTTPTypes
import NotificationModel

/// What the gateway answers, from the cache or of its own.
struct GatewayAnswer: Sendable {
    enum Body: Sendable {
        case stretch(ResponseBody)
        case text(String)

        var byteCount: Int {
            switch self {
            case .stretch(let body): body.bytes.count
            case .text(let text): text.utf8.count
            }
        }
    }

    private static let cacheName = "appgroupd"

    var head: ResponseHead
    var body: Body
    /// Whether the body came to its end.
    var isComplete = true
    /// What the cache did (RFC 9211); `nil` where it was not asked.
    var cacheStatus: String?

    init(_ response: CachedResponse, to method: HTTPRequest.Method) {
        head = response.head
        body = .stretch(response.body)
        isComplete = response.isComplete
        cacheStatus = "\(Self.cacheName); \(Self.parameters(of: response, to: method))"
    }

    /// The origin has not answered, or was not asked.
    init(_ failure: MediaFailure) {
        self.init(refusal: failure.reason == .budgetExceeded ? 504 : 502, failure.detail)
        cacheStatus = "\(Self.cacheName); fwd=miss; detail=\(failure.reason.rawValue)"
    }

    init(refusal status: Int, _ sentence: String) {
        head = ResponseHead(status: status, fields: [.contentType: "text/plain; charset=utf-8"])
        body = .text(sentence + "\n")
    }

    /// RFC 9211 §2. A stale answer is a hit, though the origin may have been asked in vain.
    private static func parameters(of response: CachedResponse, to method: HTTPRequest.Method) -> String {
        switch response.status {
        case .hit: "hit"
        case .stale: "hit; detail=stale"
        case .revalidated: "fwd=stale; fwd-status=304"
        case .coalesced: "fwd=miss; collapsed"
        case .miss:
            (method == .get || method == .head ? "fwd=miss" : "fwd=method") + (response.id == nil ? "" : "; stored")
        }
    }
}
