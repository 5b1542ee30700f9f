package import NotificationModel

/// Makes the media of one item ready.
package protocol MediaWarming: Sendable {
    /// Cancelling the calling task leaves at once.
    ///
    /// - Parameter budget: The time for each profile of the item.
    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome
}

/// How warming one item ended.
package struct WarmOutcome: Sendable {
    package struct Medium: Sendable {
        /// As the source or the payload writes it.
        package var url: String
        /// The name of the profile.
        package var profile: String
        /// `nil`: the renditions are in the container.
        package var failure: MediaFailure?
        /// The source of the bytes; `nil` if there are none.
        package var cache: CacheStatus?
        package var sourceBytes = 0
        package var renditionBytes = 0
        /// The time for which the origin asks to be left alone (429 and 503); zero if it names none, `nil` if it does not
        /// ask.
        package var retryAfter: Duration?
        /// The renditions are kept until the date of the item.
        package var isKept = false

        package init(url: String, profile: String, failure: MediaFailure? = nil) {
            self.url = url
            self.profile = profile
            self.failure = failure
        }
    }

    package var media: [Medium]

    package init(_ media: [Medium]) { self.media = media }

    /// The failure of the first media item that has one.
    package var failure: MediaFailure? { media.lazy.compactMap(\.failure).first }

    /// The first media item whose failure is over when its host, or this machine, has had a pause.
    var refused: (medium: Medium, refusal: WarmRefusal)? {
        for medium in media {
            if let pause = medium.retryAfter { return (medium, .slowDown(pause == .zero ? nil : pause)) }
            switch medium.failure?.reason {
            case .hostResting: return (medium, .resting)
            case .overloaded: return (medium, .overloaded)
            default: continue
            }
        }
        return nil
    }
}

/// Why an item goes back into the line.
enum WarmRefusal: Sendable, Equatable {
    /// The origin answered 429 or 503, and asks for this pause; `nil`: it names none.
    case slowDown(Duration?)
    /// The fetcher leaves a host alone that has failed several times in a row.
    case resting
    /// This machine has no room for the item.
    case overloaded
}
