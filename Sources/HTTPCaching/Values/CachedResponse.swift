package import NotificationModel

/// The result of an exchange with the cache.
package struct CachedResponse: Sendable {
    /// The status and the headers, without the fields of the connection. A response from the store has `Age` (RFC 9111
    /// §5.1).
    package var head: ResponseHead
    package var body: ResponseBody
    /// Whether the body is complete. An incomplete body may be stored, so that the next request fetches only the rest.
    package var isComplete: Bool
    package var status: CacheStatus
    /// The id of the stored response; `nil` if the response is not stored.
    package var id: String?
    /// The validation that the caller must start after it has used a stale response (RFC 5861 §3); `nil` if no
    /// validation is needed. The response does not wait for the validation.
    package var revalidation: Revalidation?

    package init(
        head: ResponseHead, body: ResponseBody = .empty, isComplete: Bool = true, status: CacheStatus,
        id: String? = nil, revalidation: Revalidation? = nil
    ) {
        self.head = head
        self.body = body
        self.isComplete = isComplete
        self.status = status
        self.id = id
        self.revalidation = revalidation
    }
}

/// The body of a response: a range of a file. The file exists as long as this value or a copy of it exists.
package struct ResponseBody: Sendable {
    /// The file; `nil` if the body is empty.
    package var file: MediaFile?
    /// The offsets of the body in the file.
    package var bytes: Range<Int>

    package init(file: MediaFile, bytes: Range<Int>) {
        self.file = file
        self.bytes = bytes
    }

    private init() {
        file = nil
        bytes = 0..<0
    }

    package static let empty = ResponseBody()
}

/// A stale response that was used, and that must still be validated at the origin.
package struct Revalidation: Sendable, Equatable {
    package var request: OriginRequest
    package var key: String

    package init(request: OriginRequest, key: String) {
        self.request = request
        self.key = key
    }
}
