import Base
package import FoundationEssentials
package import NotificationModel

package struct PlannedMedia: Sendable {
    package var reference: MediaReference
    /// The identifier of the media item, which is unique in the notification.
    package let identifier: String
    /// The absolute URLs from which the media item may be fetched, in the order in which they are tried.
    package var locations: [String] = []
    /// The first of these URLs as the configuration orders them, by which a media item is pinned.
    package var configuredLocation: String?
    package let trace = StageTrace()
    /// The bytes of the media item while they are downloaded.
    let arriving = ArrivingMedia()
    /// The reason why the media item is not processed; `nil` if it is processed.
    package var refusal: MediaFailure?
    /// Whether the media item is processed only if the attachment that it replaces fails.
    package var isFallback = false
    /// The side of the message's video, if the media item is this video or a mask for it; `nil` for other media items.
    fileprivate(set) var videoSide: VideoSide?
    var isMask: Bool { reference.role == .mask }
    /// The reason why the media item may not be fetched; `nil` if a fetch is permitted. Prefetched files may be used.
    package var fetchRefusal: MediaFailure?
}

/// The plan for a payload: the media items in the order of the payload, or the reason why no media item is processed.
package struct MediaPlan: Sendable {
    /// The largest number of media items that are processed. A payload may name more, but no platform shows more.
    package static let maxMedia = 32

    package enum NoMedia: Sendable, Equatable {
        case serviceNotPermitted
        /// The recipient's permissions do not allow the alert, so nothing would be shown.
        case alertNotPermitted
        case expired
        /// The payload does not name a media item that it needs.
        case mediaMissing
        /// The payload has no media that must be fetched now, or no dialect recognises the payload.
        case nothingToDo
    }

    package let media: [PlannedMedia]
    package let noMedia: NoMedia?
    /// Whether the message's own time has passed. Then only the media for the time after the expiry are fetched.
    package let isExpired: Bool
    /// The time at which the message expires; `nil` if it never expires.
    package let expiresAt: Date?

    package init(
        _ payload: PushPayload, for request: NotificationRequest, date: Date, locator: MediaURLResolver = .init()
    ) {
        expiresAt = payload.expiry(for: request)
        let isExpired = expiresAt.map { $0 <= date } ?? false
        self.isExpired = isExpired
        let judge = MediaEligibility(payload: payload, request: request, date: date, isExpired: isExpired)
        noMedia = Self.reasonForNoMedia(payload, request, isExpired: isExpired)
        var names = UniqueNames()
        let planned = payload.media.enumerated().map { index, reference in
            let identifier = names.unique(reference.identifier ?? "media-\(index + 1)")
            let decision = judge.decision(at: index)
            let locations: Result<[String], MediaFailure> =
                if case .refused(let refusal) = decision {
                    .failure(refusal)
                } else {
                    locator.locations(of: reference, dialect: payload.dialect, at: date)
                }
            var item = PlannedMedia(
                reference: reference, identifier: identifier, locations: (try? locations.get()) ?? [],
                refusal: locations.failure)
            guard item.refusal == nil else { return item }
            item.configuredLocation =
                item.locations.count > 1
                ? (try? locator.locations(of: reference, dialect: payload.dialect).get())?.first : item.locations.first
            if !reference.isInline { item.fetchRefusal = judge.fetchRefusal }
            item.isFallback = decision == .fallback
            return item
        }
        media = Self.joiningMasks(planned)
    }

    /// Returns the media items. The video of the message and its masks share one `VideoSide`.
    private static func joiningMasks(_ media: [PlannedMedia]) -> [PlannedMedia] {
        guard media.contains(where: \.isMask),
            let video = media.firstIndex(where: { $0.reference.mustBeVideo && $0.refusal == nil })
        else { return media }
        let side = VideoSide()
        var media = media
        for index in media.indices where index == video || media[index].isMask { media[index].videoSide = side }
        return media
    }

    private static func reasonForNoMedia(
        _ payload: PushPayload, _ request: NotificationRequest, isExpired: Bool
    ) -> NoMedia? {
        if !request.permissions.service { return .serviceNotPermitted }
        if !request.permissions.alert, !payload.isSilent { return .alertNotPermitted }
        if isExpired { return payload.media.contains { $0.use == .afterExpiry } ? nil : .expired }
        if payload.lacksRequiredMedia { return .mediaMissing }
        // Icons for other platforms are ignored here.
        let roles = request.profile.roles
        return payload.media.allSatisfy { $0.isDeferred || $0.use == .afterExpiry || !roles.contains($0.role) }
            ? .nothingToDo : nil
    }
}

extension PushPayload {
    /// Returns the expiry that the payload states, or else the expiry in the header `apns-expiration`. The header is in
    /// the message to FCM or in the envelope.
    fileprivate func expiry(for request: NotificationRequest) -> Date? {
        let apple = request.profile.platform == .apns ? appleExpiresAt : nil
        return expiresAt ?? apple ?? APNsHeaders.expiration(in: JSONNode(request.headers))
    }
}

/// A generator of unique names. It adds a number to a repeated name, in a time that does not grow with the repetitions.
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

extension Result where Failure == MediaFailure {
    fileprivate var failure: MediaFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
