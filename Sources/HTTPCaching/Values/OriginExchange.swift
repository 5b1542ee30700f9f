package import FoundationEssentials
package import HTTPTypes

/// The status and the headers of a response.
package struct ResponseHead: Sendable, Equatable {
    /// The status code, 200 to 599. Interim responses (1xx) are never represented.
    package var status: Int
    private var content: Content

    private enum Content {
        case fields(HTTPFields)
        /// The unparsed lines, as they were received.
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

    /// The fields as text.
    package var lines: FieldLines {
        switch content {
        case .fields(let fields): FieldLines(fields)
        case .lines(let lines): lines
        }
    }

    /// Returns the value of a field, with the values of several lines joined; `nil` if it is absent. The other lines
    /// are parsed only if this is necessary.
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

/// A response of the origin.
package struct OriginResponse: Sendable {
    package var head: ResponseHead
    /// The decoded bytes of the body; empty if the response has no body.
    package var body: ResponseBody
    /// Whether the body is complete. An incomplete body may be stored, and completed later.
    package var isComplete: Bool
    /// The time at which the request was sent. The age of the response depends on this time and on `responseTime` (RFC
    /// 9111 §4.2.3).
    package var requestTime: Date
    /// The time at which the headers had arrived.
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

/// A request to the cache, and to the origin.
package struct OriginRequest: Sendable, Equatable {
    package var method: HTTPRequest.Method
    /// The absolute URL without a fragment, exactly as it is requested.
    package var url: String
    /// The header fields, without `Host` and without the fields of the connection.
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
