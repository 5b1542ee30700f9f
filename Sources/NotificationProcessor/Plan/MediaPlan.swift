package import FoundationEssentials
package import NotificationModel

/// What is to be done about one media reference.
package struct PlannedMedia: Sendable {
    package let reference: MediaReference
    /// Unique in the notification.
    package let identifier: String
    /// Where its time goes.
    package let trace = StageTrace()
    /// Why it is not fetched at all.
    package var refusal: MediaFailure?

    init(reference: MediaReference, identifier: String, refusal: MediaFailure? = nil) {
        self.reference = reference
        self.identifier = identifier
        self.refusal = refusal
    }
}

/// What is to be done about a payload: the media in its order, or nothing because the matter is settled.
package struct MediaPlan: Sendable {
    /// A payload may name any number; more than this are more than any platform shows.
    package static let mostMedia = 32

    package enum Settled: Sendable, Equatable {
        case serviceNotPermitted
        case expired
        /// No media in it, or nobody's payload.
        case nothingToDo
    }

    package let media: [PlannedMedia]
    package let settled: Settled?

    package init(_ payload: PushPayload, for request: NotificationRequest, date: Date) {
        settled = Self.settle(payload, request, date)
        var names = UniqueNames()
        var media: [PlannedMedia] = []
        for (index, reference) in payload.media.enumerated() {
            media.append(
                PlannedMedia(
                    reference: reference, identifier: names.unique(reference.identifier ?? "media-\(index + 1)"),
                    refusal: Self.refusal(of: reference, at: index, request)))
        }
        self.media = media
    }

    private static func settle(_ payload: PushPayload, _ request: NotificationRequest, _ date: Date) -> Settled? {
        if !request.permissions.service { return .serviceNotPermitted }
        if let expiry = payload.expiresAt, expiry <= date { return .expired }
        return payload.media.isEmpty ? .nothingToDo : nil
    }

    private static func refusal(
        of reference: MediaReference, at index: Int, _ request: NotificationRequest
    ) -> MediaFailure? {
        if let refusal = request.mediaRefusal { return refusal }
        if !request.permissions.download {
            return MediaFailure(.downloadNotPermitted, "the receiver does not permit downloads")
        }
        if request.permissions.wifiOnly, request.network == .cellular {
            return MediaFailure(.wifiOnly, "the receiver permits downloads on Wi-Fi only, and is on a cellular network")
        }
        if reference.role != .attachment {
            return MediaFailure(
                .otherProfile, "the profile \(request.profile.name) shows no \(reference.role.rawValue)")
        }
        if index >= mostMedia {
            return MediaFailure(.overloaded, "at most \(mostMedia) media are taken of one payload")
        }
        return nil
    }
}

/// Makes names unique by a number behind the repeated ones, in a time that does not grow with the repetitions.
private struct UniqueNames {
    private var taken: Set<String> = []
    private var counts: [String: Int] = [:]

    mutating func unique(_ wanted: String) -> String {
        var name = wanted
        while !taken.insert(name).inserted {
            let count = counts[wanted, default: 1] + 1
            counts[wanted] = count
            name = "\(wanted)-\(count)"
        }
        return name
    }
}
