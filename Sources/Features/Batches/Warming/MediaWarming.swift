package import NotificationModel

/// The port that makes the renditions of one item before a notification needs them.
package protocol MediaWarming: Sendable {
    /// Warms an item, with a budget for each profile. If the calling task is cancelled, the call returns at once.
    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome
}

/// The result of warming one item.
package struct WarmOutcome: Sendable {
    package struct MediaItem: Sendable {
        /// The URL as the source or the payload has it.
        package var url: String
        /// The name of the profile.
        package var profile: String
        /// The failure; `nil` if the renditions are in the container.
        package var failure: MediaFailure?
        /// The origin of the bytes, such as the HTTP cache; `nil` if there are no bytes.
        package var cache: CacheStatus?
        package var sourceBytes = 0
        package var renditionBytes = 0
        /// The time for which the origin asks clients to wait (429 and 503). Zero means that the origin names no time.
        /// `nil` means that the origin does not ask clients to wait.
        package var retryAfter: Duration?
        /// Whether the renditions are kept until the date of the item.
        package var isKept = false
    }

    package var media: [MediaItem]

    package init(_ media: [MediaItem]) { self.media = media }

    /// The failure of the first media item that has failed; `nil` if no media item has failed.
    package var failure: MediaFailure? { media.lazy.compactMap(\.failure).first }

    /// The first media item that may succeed after a pause of its host or of this machine; otherwise `nil`.
    var refused: (item: MediaItem, refusal: WarmRefusal)? {
        for item in media {
            if let pause = item.retryAfter { return (item, .slowDown(pause == .zero ? nil : pause)) }
            switch item.failure?.reason {
            case .hostResting: return (item, .resting)
            case .overloaded: return (item, .overloaded)
            default: continue
            }
        }
        return nil
    }
}

/// The reason for which an item returns to the queue.
enum WarmRefusal: Sendable, Equatable {
    /// The origin sent 429 or 503 and asks for this pause; `nil` if it names no time.
    case slowDown(Duration?)
    /// The circuit breaker of the host is open after several failures in a row.
    case resting
    /// This machine has no room for the item.
    case overloaded
}
