package import NotificationModel

/// What the exchange answers.
package struct CachedResponse: Sendable {
    /// Without the fields of the connection; with `Age` where it is from the store (RFC 9111 §5.1).
    package var head: ResponseHead
    package var body: ResponseBody
    /// Whether the body came to its end. What there is of it may be stored by now, so that asking again fetches the rest.
    package var isComplete: Bool
    package var status: CacheStatus
    /// The stored response; `nil` where it is not stored.
    package var id: String?
    /// To be run after the answer has been given, without its waiting for it (RFC 5861 §3).
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

/// The bytes of a response: a stretch of a file, which lives as long as somebody holds it.
package struct ResponseBody: Sendable {
    /// `nil` where there are no bytes.
    package var file: MediaFile?
    /// Offsets in the file.
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

/// A stale response has been given that the origin is still to be asked about.
package struct Revalidation: Sendable, Equatable {
    package var request: OriginRequest
    package var key: String

    package init(request: OriginRequest, key: String) {
        self.request = request
        self.key = key
    }
}
