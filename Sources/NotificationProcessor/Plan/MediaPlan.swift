package import FoundationEssentials
import JSON
package import NotificationModel

/// What is to be done about one media reference.
package struct PlannedMedia: Sendable {
    package var reference: MediaReference
    /// Unique in the notification.
    package let identifier: String
    /// Where it may be fetched, in the order in which that is tried; absolute.
    package let locations: [String]
    /// Where its time goes.
    package let trace = StageTrace()
    /// Its bytes while they are downloaded.
    let arriving = ArrivingMedia()
    /// Why it is not fetched at all.
    package var refusal: MediaFailure?
    /// The media item is worked on only if an attachment fails, in whose place it is shown.
    package var isStandIn = false
    /// The side of the video that the media item is, or that it masks; `nil`: neither.
    private(set) var videoSide: VideoSide?
    var isMask: Bool { reference.role == .mask }
    /// Why it may not be fetched; files that another push of the message has brought may be used.
    package var fetchRefusal: MediaFailure?

    /// Returns this media item with the side of the message's video, which its masks wait for.
    func fitting(_ side: VideoSide) -> PlannedMedia {
        var medium = self
        medium.videoSide = side
        return medium
    }

    init(reference: MediaReference, identifier: String, locations: [String] = [], refusal: MediaFailure? = nil) {
        self.reference = reference
        self.identifier = identifier
        self.locations = locations
        self.refusal = refusal
    }
}

/// What is to be done about a payload: the media in its order, or nothing because the matter is settled.
package struct MediaPlan: Sendable {
    /// A payload may name any number; more than this are more than any platform shows.
    package static let mostMedia = 32

    package enum Settled: Sendable, Equatable {
        case serviceNotPermitted
        /// Nothing of it would be shown.
        case alertNotPermitted
        case expired
        /// The payload does not name a media item that it needs.
        case mediaMissing
        /// No media in it, none that is to be fetched now, or nobody's payload.
        case nothingToDo
    }

    package let media: [PlannedMedia]
    package let settled: Settled?
    /// The message's own time has passed; what is fetched is what it shows then.
    package let isExpired: Bool
    /// When the message's own time passes.
    package let expiresAt: Date?

    package init(
        _ payload: PushPayload, for request: NotificationRequest, date: Date, locator: MediaURLResolver = .init()
    ) {
        expiresAt = payload.expiry(for: request)
        let isExpired = payload.isExpired(at: date, for: request)
        self.isExpired = isExpired
        let judge = MediaEligibility(payload: payload, request: request, date: date, isExpired: isExpired)
        settled = Self.settle(payload, request, isExpired: isExpired)
        var names = UniqueNames()
        let planned = payload.media.enumerated().map { index, reference in
            let identifier = names.unique(reference.identifier ?? "media-\(index + 1)")
            let decision = judge.decision(at: index)
            if case .refused(let refusal) = decision {
                return PlannedMedia(reference: reference, identifier: identifier, refusal: refusal)
            }
            switch locator.locations(of: reference, dialect: payload.dialect) {
            case .success(let locations):
                var medium = PlannedMedia(reference: reference, identifier: identifier, locations: locations)
                if !reference.isInline { medium.fetchRefusal = judge.fetchRefusal }
                medium.isStandIn = decision == .standIn
                return medium
            case .failure(let refusal):
                return PlannedMedia(reference: reference, identifier: identifier, refusal: refusal)
            }
        }
        media = Self.joiningMasks(planned)
    }

    /// The media with the video of the message and its masks knowing of each other.
    private static func joiningMasks(_ media: [PlannedMedia]) -> [PlannedMedia] {
        guard media.contains(where: \.isMask),
            let video = media.firstIndex(where: { $0.reference.mustBeVideo && $0.refusal == nil })
        else { return media }
        let side = VideoSide()
        return media.enumerated().map { $0 == video || $1.isMask ? $1.fitting(side) : $1 }
    }

    /// Whether a request is settled before any of its media is worked on, or all of its media are refused.
    static func isSettled(_ payload: PushPayload, for request: NotificationRequest, date: Date) -> Bool {
        let isExpired = payload.isExpired(at: date, for: request)
        if settle(payload, request, isExpired: isExpired) != nil { return true }
        let judge = MediaEligibility(payload: payload, request: request, date: date, isExpired: isExpired)
        return payload.media.indices.allSatisfy { index in
            if case .refused = judge.decision(at: index) { true } else { false }
        }
    }

    private static func settle(
        _ payload: PushPayload, _ request: NotificationRequest, isExpired: Bool
    ) -> Settled? {
        if !request.permissions.service { return .serviceNotPermitted }
        if !request.permissions.alert, !payload.isSilent { return .alertNotPermitted }
        if isExpired { return payload.media.contains { $0.use == .afterExpiry } ? nil : .expired }
        if payload.lacksRequiredMedia { return .mediaMissing }
        // Icons of other platforms are no media of the notification.
        let roles = request.profile.roles
        return payload.media.allSatisfy { $0.isDeferred || $0.use == .afterExpiry || !roles.contains($0.role) }
            ? .nothingToDo : nil
    }
}

extension PushPayload {
    fileprivate func isExpired(at date: Date, for request: NotificationRequest) -> Bool {
        expiry(for: request).map { $0 <= date } ?? false
    }

    /// By what the payload says, or else by the header `apns-expiration` of the message to FCM or of the envelope.
    fileprivate func expiry(for request: NotificationRequest) -> Date? {
        let apple = request.profile.platform == .apns ? appleExpiresAt : nil
        return expiresAt ?? apple ?? APNsHeaders.expiration(in: JSONNode(request.headers))
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
