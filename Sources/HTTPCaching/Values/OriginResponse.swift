package import FoundationEssentials
package import HTTPTypes

/// The head of a response.
package struct ResponseHead: Sendable, Equatable, Codable {
    /// 200…599; interim answers (1xx) are none of these.
    package var status: Int
    package var fields: HTTPFields

    package init(status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        self.fields = fields
    }
}

/// What an origin has answered.
package struct OriginResponse: Sendable {
    package var head: ResponseHead
    /// Decoded bytes; empty where the response has none.
    package var body: ResponseBody
    /// Whether the body came to its end. A part of one may be stored and completed later.
    package var isComplete: Bool
    /// When the request was sent, and when the head had arrived: what ages are counted from (RFC 9111 §4.2.3).
    package var requestTime: Date
    package var responseTime: Date

    package init(
        head: ResponseHead, body: ResponseBody, isComplete: Bool = true, requestTime: Date, responseTime: Date
    ) {
        self.head = head
        self.body = body
        self.isComplete = isComplete
        self.requestTime = requestTime
        self.responseTime = responseTime
    }
}
