import Base
import FoundationEssentials
import NotificationModel

/// The requirements that all media items of a request share: how they are made, and how long their files are needed.
/// They also have the key under which another push of the same message has stored prefetched files.
struct RenditionRequirements: Sendable {
    /// The time until which the files are needed: at least until the deadline of the request. The files of a silent
    /// push are needed until the later message expires, and files with signed public URLs until these URLs end.
    let until: Date
    private let providerID: String?
    private let profile: MediaProfile
    private let imageBytes: Int?
    private let preferences: MediaPreferences
    /// The rank of the media items among all media items that wait for connections and workers (`MediaRank`).
    let rank: Int
    private let group: AppGroupName
    private let recipient: PrefetchRecipient

    /// - Parameter downloadEnd: The end of the public URLs of the files; `nil` if there is no such end.
    init(
        _ payload: PushPayload, _ request: NotificationRequest, preferring preferences: MediaPreferences,
        downloadedUntil downloadEnd: Date?
    ) {
        let lastUse = payload.isSilent ? payload.holdsFilesUntil : nil
        until =
            [request.deadline, lastUse ?? request.deadline, downloadEnd ?? request.deadline].max()
            ?? request.deadline
        providerID = payload.sharesFiles ? payload.providerID : nil
        profile = request.profile
        imageBytes = payload.imageBytes[request.profile.platform]
        self.preferences = preferences
        (rank, group) = (request.rank(isSilent: payload.isSilent), request.appGroup)
        recipient = PrefetchRecipient(request.recipient)
    }

    /// Returns the flow of a media item, which decides how it shares the workers with other media items.
    func flow(of item: PlannedMedia) -> TranscodeFlow {
        TranscodeFlow(priority: rank, group: group, url: item.locations.first ?? item.reference.url)
    }

    /// Returns the form in which a media item is made. It is the profile's, within the limits of the provider.
    func form(of item: PlannedMedia) -> MediaForm {
        profile.form(of: item.reference.role).holding(imageBytes).preferring(preferences)
    }

    func recipe(of item: PlannedMedia) -> RenditionRecipe { RenditionRecipe(form(of: item), item.reference.options) }

    /// Returns the form in which a media item is made, and the recipe under which it is stored.
    ///
    /// - Parameter videoSide: The longest side of the masked video, in pixels; `nil` without a video.
    @inline(never)
    func order(of item: PlannedMedia, videoSide: Int?) -> (form: MediaForm, recipe: RenditionRecipe) {
        let form = form(of: item).fitting(videoSide: videoSide)
        return (form, RenditionRecipe(form, item.reference.options))
    }

    /// Returns the key of a media item's files in another push of the message; `nil` if no other push prefetches its
    /// files. A recipient that may not fetch gets only files that a silent push fetched for this recipient, or for all
    /// recipients.
    func key(of item: PlannedMedia) -> PrefetchKey? {
        providerID.map {
            PrefetchKey(
                providerID: $0, url: item.reference.url, recipe: recipe(of: item),
                recipient: item.fetchRefusal == nil ? nil : recipient)
        }
    }

    /// Returns the keys under which the renditions of a media item may be stored before the item is fetched.
    func storedKeys(of item: PlannedMedia) -> [StoredMediaKey] {
        var keys: [StoredMediaKey] = []
        if let key = key(of: item) { keys.append(.prefetched(key)) }
        if item.fetchRefusal == nil, let pin = pin(of: item) { keys.append(.pinned(pin)) }
        return keys
    }

    /// Returns the key under which an operator may pin a media item; `nil` if the item is not fetched from a URL.
    func pin(of item: PlannedMedia) -> PinKey? {
        guard let location = item.configuredLocation, !item.reference.isInline else { return nil }
        return PinKey(url: location, recipe: recipe(of: item))
    }
}

/// The longest side of a message's video. The masks wait for it, because a mask must not be larger.
final class VideoSide: Sendable {
    private let side = Guarded<Int?>(nil)
    private let ended = AsyncEvent()

    /// Reports that the video is prepared.
    ///
    /// - Parameter side: The longest side, in pixels; `nil` if there is no video.
    func end(with side: Int?) {
        self.side.withLock { $0 = side }
        ended.signal()
    }

    /// Waits for the video, and returns its longest side, in pixels; `nil` without a video, or if cancelled.
    func wait() async -> Int? {
        await ended.wait()
        return side.withLock { $0 }
    }
}
