import Base
import NotificationModel

/// The result that an app would report for a silent push to the system's fetch completion handler
/// (`UIBackgroundFetchResult`).
enum BackgroundFetchResult: String {
    /// At least one media item is in the container.
    case newData
    /// The push has no media, or its media are not wanted now.
    case noData
    /// The media of the push failed, or the request was cancelled or refused.
    case failed

    /// - Parameter reason: The reason of the first missing media item, or of the whole request.
    init(_ outcome: Outcome, _ reason: DegradationReason?, hasFiles: Bool) {
        if outcome == .prefetched, hasFiles {
            self = .newData
            return
        }
        switch reason {
        // The phone's app fetches nothing either without permission, after the expiry, or for another platform.
        case nil, .expired, .serviceNotPermitted, .downloadNotPermitted, .wifiOnly, .otherProfile: self = .noData
        default: self = .failed
        }
    }
}

extension PushPayload {
    /// Returns this payload with the result of a background fetch in its details, if it is a silent push.
    ///
    /// An event that shows nothing is no silent push if it has neither `content-available` nor media, because the
    /// system would not start the app for it.
    func reportingFetch(_ result: BackgroundFetchResult) -> PushPayload {
        guard isSilent, aps.contentAvailable || !media.isEmpty else { return self }
        var payload = self
        payload.details.set("fetchResult", .string(result.rawValue))
        return payload
    }
}
