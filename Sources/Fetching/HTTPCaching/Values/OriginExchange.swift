package import FoundationEssentials
package import HTTPTypes
package import LinuxIO
package import NotificationModel

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

    /// Returns the values of the lines of a field. The other lines are parsed only if this is necessary.
    func values(of name: HTTPField.Name) -> [String] {
        switch content {
        case .fields(let fields): fields[values: name]
        case .lines(let lines): lines.values(of: name)
        }
    }

    /// Removes the fields of some names, given in lower case. Unparsed lines stay unparsed if that is possible.
    mutating func remove(_ names: [String]) {
        if case .lines(let lines) = content, let rest = lines.removing(names) {
            content = .lines(rest)
        } else {
            fields = fields.filtered { !names.contains($0.canonicalName) }
        }
    }

    /// Turns a 206 that has all bytes into a 200.
    package mutating func makeWhole() {
        status = 200
        fields[.contentRange] = nil
    }

    package static func == (one: ResponseHead, other: ResponseHead) -> Bool {
        one.status == other.status && one.fields == other.fields
    }
}

/// A response of the origin, from the network or from the store.
package struct OriginResponse: Sendable {
    /// The status and the headers. From the cache, it has no fields of the connection; from the store, it has `Age`.
    package var head: ResponseHead
    /// The decoded bytes of the body; empty if the response has no body.
    package var body: ResponseBody
    /// The failure that ended the body early; `nil` if the body is complete. An incomplete body may be stored, so that
    /// the next request fetches only the rest.
    package var failure: MediaFailure?
    /// The fault of the content encoding of a body whose decoded bytes are all there; `nil` for other bodies. Such a
    /// response is never stored.
    package var codingFault: MediaFailure?
    /// The time at which the request was sent. It and `responseTime` determine the age (RFC 9111 §4.2.3).
    package var requestTime: Date
    /// The time at which the headers had arrived.
    package var responseTime: Date
    /// The use of the store for the response.
    package var status: CacheStatus
    /// The id of the stored response; `nil` if the response is not stored.
    package var id: String?
    /// Whether the caller must call `CachingExchange.revalidate` after it has used this stale response (RFC 5861 §3).
    package var mustBeValidated = false

    package init(
        head: ResponseHead, body: ResponseBody = .empty, failure: MediaFailure? = nil, requestTime: Date,
        responseTime: Date, status: CacheStatus = .miss, id: String? = nil
    ) {
        self.head = head
        self.body = body
        self.failure = failure
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.status = status
        self.id = id
    }

    package var isComplete: Bool { failure == nil }
}

/// The body of a response: a range of a file. The file exists as long as this value or a copy of it exists.
package struct ResponseBody: Sendable {
    /// The file; `nil` if the body is empty.
    package var file: MediaFile?
    /// The offsets of the body in the file.
    package var bytes: Range<Int>
    /// The checksum of all bytes of the file, as the store computes it; `nil` if it is unknown.
    package var checksum: UInt64?

    package init(file: MediaFile?, bytes: Range<Int>, checksum: UInt64? = nil) {
        self.file = file
        self.bytes = bytes
        self.checksum = checksum
    }

    package static let empty = ResponseBody(file: nil, bytes: 0..<0)
}

/// A request to the cache, and to the origin.
package struct OriginRequest: Sendable, Equatable {
    package var method: HTTPRequest.Method
    /// The absolute URL without a fragment, exactly as it is requested.
    package var url: String
    /// The header fields, without `Host` and without the fields of the connection.
    package var fields: HTTPFields
    package var body: [UInt8]
    /// Whether a repetition of a forwarded request does no harm. Such a request may be sent over a kept connection: if
    /// that connection ends without a response, libcurl sends the request again over another one.
    package var mayBeRepeated = false

    package init(
        _ method: HTTPRequest.Method = .get, _ url: String, fields: HTTPFields = HTTPFields(), body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// Whether the request has a condition that a 304 can answer.
    package var isConditional: Bool { fields.contains(.ifNoneMatch) || fields.contains(.ifModifiedSince) }
}

/// A response in the cache, without its bytes (RFC 9111 §3).
package struct StoredResponse: Sendable, Equatable {
    /// The identifier of the stored bytes. Each body has a new identifier, and a 304 does not change it.
    package var id: String
    /// The key under which the response is found: the URL, and the credentials with which it was fetched.
    package var key: String
    package var method: String
    /// The fields of the request that `Vary` of the response names.
    package var requestFields: HTTPFields
    package var head: ResponseHead
    package var requestTime: Date
    package var responseTime: Date
    /// The positions of the stored bytes in the representation: 0 to `completeLength` if the response is whole.
    package var storedBytes: Range<Int>
    /// The length of the whole representation, in bytes; `nil` if it is unknown.
    package var completeLength: Int?

    package init(
        id: String, key: String, method: String, requestFields: HTTPFields, head: ResponseHead, requestTime: Date,
        responseTime: Date, storedBytes: Range<Int>, completeLength: Int?
    ) {
        self.id = id
        self.key = key
        self.method = method
        self.requestFields = requestFields
        self.head = head
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.storedBytes = storedBytes
        self.completeLength = completeLength
    }

    /// The part of the key before the digest of the credentials.
    package var url: String { String(Substring(key.utf8.prefix { $0 != UInt8(ascii: " ") })) }

    package var isWhole: Bool { storedBytes.lowerBound == 0 && storedBytes.upperBound == completeLength }
}
