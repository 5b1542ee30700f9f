/// How a request ended.
package enum Outcome: String, Sendable, CaseIterable {
    /// Every attachment is shown.
    case rich
    /// Some attachments are shown, with the success text.
    case partial
    /// No attachment is shown: the fallback text, or the payload's own where it has none.
    case fallback
    /// The message's own expiry has passed; never our deadline.
    case expired
    /// The caller took it back; it carries the fallback text.
    case cancelled
    /// No media in it, or not to be touched.
    case passthrough
    /// A silent push whose media are now in the container.
    case prefetched
    /// Unusable, or not permitted.
    case rejected
}

/// Why an outcome is not `rich`. A closed set: scripts and dashboards count on it.
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
    /// The address or the port.
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

/// The attachment codes of Apple's `UNError` (UserNotifications, `UNError.Code`) that a phone would raise.
package enum UNErrorCode: Int, Sendable {
    case attachmentInvalidURL = 100
    case attachmentUnrecognizedType = 101
    case attachmentInvalidFileSize = 102
    case attachmentCorrupt = 105
}

/// Why one medium is not shown: a value that goes down the pipeline in the medium's place.
package struct MediaFailure: Error, Sendable, Equatable {
    package var reason: DegradationReason
    /// One sentence for people: what, where, and what to do about it. No URL queries.
    package var detail: String
    /// The MIME type by the file's bytes, where so much was there.
    package var sourceType: String?
    /// How long the origin asks to be left alone: its answer was 429 or 503. Zero: it names no time.
    package var retryAfter: Duration?

    package init(_ reason: DegradationReason, _ detail: String, sourceType: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.sourceType = sourceType
    }

    package static let cancelled = MediaFailure(.cancelled, "the request was cancelled")

    /// What a phone would say of the same medium. `nil`: the phone has no code for it, it just shows no picture.
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
