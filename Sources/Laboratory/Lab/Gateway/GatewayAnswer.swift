import HTTPCaching
import HTTPTypes
import NIOCore
import NIOHTTP1
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

/// The conversion between the headers of a connection and those of the cache.
enum GatewayFields {
    /// The headers that apply to one connection only, and the headers that are created for the next connection.
    private static let connectionFields: Set<String> = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// Returns the request for the cache; `nil` if its method or target is not valid.
    static func request(_ head: HTTPRequestHead, body: [UInt8], upstream: String?) -> OriginRequest? {
        // NIO parses this method and writes it without its hyphen.
        let name = head.method == .MSEARCH ? "M-SEARCH" : head.method.rawValue
        guard let method = HTTPRequest.Method(name) else { return nil }
        let url: String
        if head.uri.hasPrefix("http://") || head.uri.hasPrefix("https://") {
            url = head.uri
        } else if let upstream, head.uri.hasPrefix("/") {
            url = upstream + head.uri
        } else {
            return nil
        }
        let named = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        let gone = connectionFields.union(named)
        var fields = HTTPFields()
        for (name, value) in head.headers where !gone.contains(name.lowercased()) {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return OriginRequest(method, String(url.prefix { $0 != "#" }), fields: fields, body: body)
    }

    static func head(_ answer: GatewayAnswer, to request: HTTPRequestHead) -> HTTPResponseHead {
        var headers = HTTPHeaders()
        for field in answer.head.fields where field.name != .contentLength {
            headers.add(name: field.name.rawName, value: field.value)
        }
        if let status = answer.cacheStatus { headers.add(name: "Cache-Status", value: status) }
        let status = HTTPResponseStatus(statusCode: answer.head.status)
        let declared = answer.head.fields[.contentLength]
        if request.method == .HEAD {
            // A response to HEAD has the length that the response to a GET would have had.
            if let declared { headers.add(name: "Content-Length", value: declared) }
        } else if status.mayHaveResponseBody {
            let length = answer.isComplete ? String(answer.body.byteCount) : declared
            if let length { headers.add(name: "Content-Length", value: length) }
        }
        if !answer.isComplete || !request.isKeepAlive { headers.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
