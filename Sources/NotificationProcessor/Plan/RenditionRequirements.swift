import FoundationEssentials
import NotificationModel

/// What a request's media have in common: how they are made, how long their files are needed, and under which name
/// another push of the same message has brought them.
struct RenditionRequirements: Sendable {
    /// A silent push fetches ahead: its files are kept until the message that is to come has expired.
    let until: Date
    private let providerID: String?
    private let profile: MediaProfile
    private let pictureBytes: Int?
    private let preferences: MediaPreferences
    /// The order in which its media have connections and workers (`MediaRank`).
    let rank: Int
    private let group: AppGroupName
    private let receiver: PrefetchReceiver

    init(_ payload: PushPayload, _ request: NotificationRequest, preferring preferences: MediaPreferences) {
        let held = payload.isSilent ? payload.holdsFilesUntil : nil
        until = max(request.deadline, held ?? request.deadline)
        providerID = payload.sharesFiles ? payload.providerID : nil
        profile = request.profile
        pictureBytes = payload.pictureBytes[request.profile.platform]
        self.preferences = preferences
        (rank, group) = (request.rank(isSilent: payload.isSilent), request.appGroup)
        receiver = PrefetchReceiver(request.recipient)
    }

    /// With whom it shares the workers.
    func flow(of medium: PlannedMedia) -> TranscodeFlow {
        TranscodeFlow(priority: rank, group: group, url: medium.locations.first ?? medium.reference.url)
    }

    /// How it is made: as the profile wants it, within what the provider's service passes on.
    func form(of medium: PlannedMedia) -> MediaForm {
        profile.form(of: medium.reference.role).holding(pictureBytes).preferring(preferences)
    }

    func recipe(of medium: PlannedMedia) -> RenditionRecipe {
        RenditionRecipe(form(of: medium), medium.reference.options)
    }

    /// The form in which a media item is made, and the recipe under which it is stored.
    ///
    /// - Parameter videoSide: longest side of the video that it masks, in pixels.
    @inline(never)
    func order(of medium: PlannedMedia, videoSide: Int?) -> (form: MediaForm, recipe: RenditionRecipe) {
        let form = form(of: medium).fitting(videoSide: videoSide)
        return (form, RenditionRecipe(form, medium.reference.options))
    }

    /// The key of its files in another push of the message. A receiver that may not fetch gets only the files that a silent
    /// push has fetched for this receiver, or for all. `nil`: nobody else brings its files.
    func key(of medium: PlannedMedia) -> PrefetchKey? {
        providerID.map {
            PrefetchKey(
                providerID: $0, url: medium.reference.url, recipe: recipe(of: medium),
                receiver: medium.fetchRefusal == nil ? nil : receiver)
        }
    }

    /// What an operator may keep ready of it; `nil` if it is not fetched from anywhere.
    func pin(of medium: PlannedMedia) -> PinKey? {
        guard let location = medium.locations.first, !medium.reference.isInline else { return nil }
        return PinKey(url: location, recipe: recipe(of: medium))
    }
}
