package import FoundationEssentials
package import HTTPTypes

/// The head of a response.
package struct ResponseHead: Sendable, Equatable {
    /// 200…599; interim answers (1xx) are none of these.
    package var status: Int
    private var content: Content

    private enum Content {
        case fields(HTTPFields)
        /// As they came.
        case lines(FieldLines)
    }

    package init(status: Int, fields: HTTPFields = HTTPFields()) {
        self.status = status
        content = .fields(fields)
    }

    package init(status: Int, lines: FieldLines) {
        self.status = status
        content = .lines(lines)
    }

    package var fields: HTTPFields {
        get {
            switch content {
            case .fields(let fields): fields
            case .lines(let lines): lines.fields
            }
        }
        set { content = .fields(newValue) }
    }

    /// As a text.
    package var lines: FieldLines {
        switch content {
        case .fields(let fields): FieldLines(fields)
        case .lines(let lines): lines
        }
    }

    /// The value of a field, those of several lines joined. Does not read the others where that can be done without.
    package func value(of name: HTTPField.Name) -> String? {
        switch content {
        case .fields(let fields): fields.value(of: name)
        case .lines(let lines): lines.value(of: name)
        }
    }

    package static func == (one: ResponseHead, other: ResponseHead) -> Bool {
        one.status == other.status && one.fields == other.fields
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

/// A request as it is asked of the cache, and as it goes to the origin.
package struct OriginRequest: Sendable, Equatable {
    package var method: HTTPRequest.Method
    /// Absolute, without a fragment, as it will be requested.
    package var url: String
    /// Without `Host` and the fields of the connection.
    package var fields: HTTPFields
    package var body: [UInt8]

    package init(
        _ method: HTTPRequest.Method = .get, _ url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}
