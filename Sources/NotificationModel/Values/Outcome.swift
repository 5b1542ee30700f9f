package enum Outcome: String, Sendable, CaseIterable {
    /// All attachments are shown.
    case rich
    /// Some attachments are shown, with the success text.
    case partial
    /// No attachment is shown. The text is the fallback text, or the payload's own text if it has no fallback text.
    case fallback
    /// The message's own expiry has passed. The deadline of the request never causes this outcome.
    case expired
    /// The caller cancelled the request. The result has the fallback text.
    case cancelled
    /// The payload has no media, or its media must not be changed.
    case passthrough
    /// The media of a silent push are now in the container.
    case prefetched
    /// The request is unusable or not permitted.
    case rejected

    /// Whether a notification is shown to the user.
    package var isShown: Bool { ![.cancelled, .prefetched, .rejected].contains(self) }
}

/// The reason for which an outcome is not `rich`. The set is closed, because scripts and dashboards depend on it.
package enum DegradationReason: String, Sendable, CaseIterable {
    case budgetExceeded = "budget-exceeded"
    case cancelled
    case expired
    case serviceNotPermitted = "service-not-permitted"
    case downloadNotPermitted = "download-not-permitted"
    case wifiOnly = "wifi-only"
    case invalidURL = "invalid-url"
    case forbiddenScheme = "forbidden-scheme"
    case forbiddenHost = "forbidden-host"
    /// The address or the port is forbidden.
    case forbiddenAddress = "forbidden-address"
    case dnsFailed = "dns-failed"
    case connectFailed = "connect-failed"
    case tlsFailed = "tls-failed"
    case httpStatus = "http-status"
    case redirectRefused = "redirect-refused"
    case truncated
    case connectionLost = "connection-lost"
    case tooLarge = "too-large"
    case tooManyPixels = "too-many-pixels"
    case unsupportedMedia = "unsupported-media"
    case corruptMedia = "corrupt-media"
    case hostResting = "host-resting"
    case overloaded
    case workerCrashed = "worker-crashed"
    case storageFailed = "storage-failed"
    case otherProfile = "other-profile"
    case invalidPayload = "invalid-payload"
    case duplicateID = "duplicate-id"
    case `internal`
}

/// The codes of Apple's `UNError` that a phone would report for an attachment (UserNotifications, `UNError.Code`).
package enum UNErrorCode: Int, Sendable {
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentCorrupt = 105
}

/// The reason for which a media item is not shown. The pipeline passes it on as a value in the place of the item.
package struct MediaFailure: Error, Sendable, Equatable {
    package var reason: DegradationReason
    /// One sentence for people: the error, where it occurred, and its remedy. The sentence has no queries of URLs.
    package var detail: String
    /// The MIME type that the file's bytes show; `nil` if too few bytes are known.
    package var sourceType: String?
    /// The time that the origin asks clients to wait, in a response with status 429 or 503. Zero means that it names no
    /// time.
    package var retryAfter: Duration?

    package init(_ reason: DegradationReason, _ detail: String, sourceType: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.sourceType = sourceType
    }

    package static let cancelled = MediaFailure(.cancelled, "the request was cancelled")

    /// The error that a phone would report for the item; `nil` if the phone has no code for it and only shows no image.
    package var unError: UNErrorCode? {
        switch reason {
        case .invalidURL, .forbiddenScheme: .attachmentInvalidURL
        case .unsupportedMedia: .attachmentUnrecognizedType
        case .tooLarge: .attachmentInvalidFileSize
        case .corruptMedia, .truncated, .tooManyPixels: .attachmentCorrupt
        default: nil
        }
    }
}
