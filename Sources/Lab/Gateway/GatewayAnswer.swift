import HTTPCaching
import HTTPTypes
import NotificationModel

/// A response of the gateway, from the cache or from the gateway itself.
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
    /// Whether the body is complete.
    var isComplete = true
    /// The action of the cache (RFC 9211); `nil` if the cache was not used.
    var cacheStatus: String?

    init(_ response: OriginResponse, to method: HTTPRequest.Method) {
        head = response.head
        body = .stretch(response.body)
        isComplete = response.isComplete
        cacheStatus = "\(Self.cacheName); \(Self.parameters(of: response, to: method))"
    }

    /// Creates the response to a request that the origin did not answer, or that was not sent.
    init(_ failure: MediaFailure) {
        self.init(refusal: failure.reason == .budgetExceeded ? 504 : 502, failure.detail)
        cacheStatus = "\(Self.cacheName); fwd=miss; detail=\(failure.reason.rawValue)"
    }

    init(refusal status: Int, _ sentence: String) {
        head = ResponseHead(status: status, fields: [.contentType: "text/plain; charset=utf-8"])
        body = .text(sentence + "\n")
    }

    /// Returns the parameters of RFC 9211 §2. A stale response is a hit, even if a request to the origin has failed.
    private static func parameters(of response: OriginResponse, to method: HTTPRequest.Method) -> String {
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
