import FoundationEssentials
import NotificationModel

/// Decides which media are not fetched at all, and why: the receiver's permissions, the message's time, the profile.
struct MediaEligibility {
    let payload: PushPayload
    let request: NotificationRequest
    let date: Date
    let isExpired: Bool
    /// The media that are taken of the payload; `nil`: all.
    private let taken: Set<Int>?

    init(payload: PushPayload, request: NotificationRequest, date: Date, isExpired: Bool) {
        self.payload = payload
        self.request = request
        self.date = date
        self.isExpired = isExpired
        taken = payload.media.count > MediaPlan.mostMedia ? Self.taken(of: payload.media) : nil
    }

    /// The first media of a payload. The file that is the message takes precedence over all others, and they over masks.
    private static func taken(of media: [MediaReference]) -> Set<Int> {
        func rank(_ index: Int) -> Int { media[index].isRequired ? 0 : media[index].role == .mask ? 2 : 1 }
        return Set(media.indices.sorted { (rank($0), $0) < (rank($1), $1) }.prefix(MediaPlan.mostMedia))
    }

    enum Decision: Equatable {
        case wanted
        /// The media item is wanted if an attachment fails, in whose place it is shown.
        case standIn
        case refused(MediaFailure)
    }

    func decision(at index: Int) -> Decision {
        let reference = payload.media[index]
        // Bytes in the payload need no download.
        if let refusal = (reference.isInline ? nil : permission) ?? time(of: reference)
            ?? ProfileFilter.refusal(of: index, among: payload.media, profile: request.profile) ?? limit(index)
            ?? request.mediaRefusal
        {
            return .refused(refusal)
        }
        return ProfileFilter.isStandIn(index, among: payload.media, profile: request.profile) ? .standIn : .wanted
    }

    private func limit(_ index: Int) -> MediaFailure? {
        guard let taken, !taken.contains(index) else { return nil }
        return MediaFailure(.overloaded, "a payload can have at most \(MediaPlan.mostMedia) media items")
    }

    /// Why nothing may be fetched for the receiver. Files that are in the container already may be used.
    var fetchRefusal: MediaFailure? {
        let network = request.network ?? request.permissions.unknownNetwork
        guard request.permissions.wifiOnly, network == .cellular else { return nil }
        return MediaFailure(
            .wifiOnly,
            "the receiver permits downloads on Wi-Fi only, and "
                + (request.network == nil
                    ? "its network is unknown, which counts as cellular" : "is on a cellular network"))
    }

    private var permission: MediaFailure? {
        request.permissions.download
            ? nil : MediaFailure(.downloadNotPermitted, "the receiver does not permit downloads")
    }

    private func time(of reference: MediaReference) -> MediaFailure? {
        if reference.isDeferred {
            return MediaFailure(
                .downloadNotPermitted, "the payload asks to fetch it only when the notification is viewed")
        }
        switch (reference.use, isExpired) {
        case (.always, true): return MediaFailure(.expired, "the message has expired")
        case (.afterExpiry, false):
            return MediaFailure(.otherProfile, "the item is for the time after the expiry of the message")
        case (.always, false), (.afterExpiry, true): break
        }
        if let goneAt = reference.goneAt, goneAt <= date {
            return MediaFailure(.expired, "the payload says that the origin has deleted the file")
        }
        return nil
    }
}
