import FoundationEssentials
import NotificationModel

/// The check whether a media item is fetched. The result depends on the recipient's permissions, the message's time and
/// the profile.
struct MediaEligibility {
    let payload: PushPayload
    let request: NotificationRequest
    let date: Date
    let isExpired: Bool
    /// The indices of the media items that are taken from the payload; `nil` if all are taken.
    private let taken: Set<Int>?

    init(payload: PushPayload, request: NotificationRequest, date: Date, isExpired: Bool) {
        self.payload = payload
        self.request = request
        self.date = date
        self.isExpired = isExpired
        taken = payload.media.count > MediaPlan.maxMedia ? Self.taken(of: payload.media) : nil
    }

    /// Returns the first media items of a payload. The file of a 2mee message takes precedence, and masks come last.
    private static func taken(of media: [MediaReference]) -> Set<Int> {
        func rank(_ index: Int) -> Int { media[index].isRequired ? 0 : media[index].role == .mask ? 2 : 1 }
        return Set(media.indices.sorted { (rank($0), $0) < (rank($1), $1) }.prefix(MediaPlan.maxMedia))
    }

    enum Decision: Equatable {
        case wanted
        /// The media item is needed only if the attachment that it replaces fails.
        case fallback
        case refused(MediaFailure)
    }

    func decision(at index: Int) -> Decision {
        let reference = payload.media[index]
        if let refusal = permission(for: reference) ?? time(of: reference)
            ?? ProfileFilter.refusal(of: index, among: payload.media, profile: request.profile) ?? limit(index)
            ?? request.mediaRefusal ?? unreadableRecipient
        {
            return .refused(refusal)
        }
        return ProfileFilter.isFallback(index, among: payload.media, profile: request.profile) ? .fallback : .wanted
    }

    private func limit(_ index: Int) -> MediaFailure? {
        guard let taken, !taken.contains(index) else { return nil }
        return MediaFailure(.overloaded, "a payload can have at most \(MediaPlan.maxMedia) media items")
    }

    /// The reason why nothing may be fetched for the recipient; `nil` if fetches are permitted. Files that are already
    /// in the container may be used.
    var fetchRefusal: MediaFailure? {
        let network = request.network ?? request.permissions.unknownNetwork
        guard request.permissions.wifiOnly, network == .cellular else { return nil }
        return MediaFailure(
            .wifiOnly,
            "the receiver permits downloads on Wi-Fi only, and "
                + (request.network == nil
                    ? "its network is unknown, which counts as cellular" : "is on a cellular network"))
    }

    /// The reason why nothing may be fetched for a recipient whose settings cannot be read; `nil` if they were read.
    private var unreadableRecipient: MediaFailure? {
        request.recipientLookup?.isReadable ?? true
            ? nil : MediaFailure(.storageFailed, "the stored permissions of the receiver cannot be read")
    }

    private func permission(for reference: MediaReference) -> MediaFailure? {
        // Bytes in the payload need no download, and therefore no permission.
        reference.isInline || request.permissions.download
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
