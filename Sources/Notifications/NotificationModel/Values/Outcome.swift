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

extension DegradationReason {
    /// The advice that would cause the media item to be shown, in one or two sentences; `nil` if the detail of the
    /// failure already has the advice.
    package var advice: String? {
        switch self {
        case .budgetExceeded: "Use a longer --budget, a smaller file, or a faster origin."
        case .expired: "Send the message before it expires, or with a later expiry."
        case .serviceNotPermitted, .downloadNotPermitted:
            "To see the result for a receiver who permits it, use --permission service=true and --permission download=true."
        case .wifiOnly: "To see the result for a receiver on Wi-Fi, use --network wifi."
        case .forbiddenScheme: "Write an https URL, or permit the scheme with fetch.schemes."
        case .forbiddenHost: "Write another host, or permit this one with fetch.allowHosts and fetch.denyHosts."
        case .dnsFailed: "Check the name of the host in the URL; appgroupd doctor asks the name servers."
        case .connectFailed: "Run curl -v with the URL on this machine, to check that the origin listens there."
        case .tlsFailed: "Check the certificate of the origin. For a private authority, set fetch.caFile."
        case .httpStatus: "Check the URL. For an origin that needs a token, set fetch.headers."
        case .redirectRefused: "Write the URL that the redirects lead to."
        case .truncated, .connectionLost:
            "Fetch the URL with curl and compare the lengths: the origin, or a proxy before it, ends the response too early."
        case .tooLarge: "Send a smaller file, or raise media.pictureBytes, media.videoBytes or media.soundBytes."
        case .tooManyPixels: "Send an image with fewer pixels, or raise media.pixels."
        case .unsupportedMedia:
            "Send a JPEG, a PNG, a GIF or an MP4. docs/reference/media.md lists all accepted formats."
        case .corruptMedia: "Open the file in a viewer and save it again."
        case .hostResting: "The host failed several times in a row; try again in a minute."
        case .overloaded: "Process fewer payloads at a time, or use a longer --budget."
        case .workerCrashed: "Keep the file and report it, because no file should end a worker."
        case .storageFailed: "Free space on the file system of --root, and check that this user can write to it."
        case .otherProfile: "Name the platform of the media item with --profile."
        case .cancelled, .invalidURL, .forbiddenAddress, .invalidPayload, .duplicateID, .internal: nil
        }
    }
}
