package import FoundationEssentials
package import JSON

/// An attachment as it is shown: the stored rendition, and where it came from.
package struct NotificationAttachment: Sendable, Equatable {
    package var identifier: String
    package var asset: StoredAsset
    package var thumbnail: StoredAsset?
    package var poster: StoredAsset?
    package var options: AttachmentOptions
    package var sourceURL: String
    package var sourceByteCount: Int
    package var sourceType: String
    package var cache = CacheStatus.miss
    /// Where it is reached from outside.
    package var publicURL: String?
    package var role = MediaRole.attachment
    /// The file is in the container for the app's own view, and the system is not to attach it.
    package var isAside = false
    /// How it was made; `nil` where it is less than that.
    package var recipe: RenditionRecipe?
    /// `nil`: it is as the profile asks for.
    package var reduction: MediaReduction?
    /// The part of a damaged source that it shows, as a sentence for people; `nil` for an intact source.
    package var damage: String?
    /// The film or sound that it was made from; `nil` for other sources.
    package var source: SourceFacts?

    package init(
        identifier: String, asset: StoredAsset, thumbnail: StoredAsset?, poster: StoredAsset?,
        options: AttachmentOptions, sourceURL: String, sourceByteCount: Int, sourceType: String
    ) {
        self.identifier = identifier
        self.asset = asset
        self.thumbnail = thumbnail
        self.poster = poster
        self.options = options
        self.sourceURL = sourceURL
        self.sourceByteCount = sourceByteCount
        self.sourceType = sourceType
    }

    /// What is shown in its place until it is there: of a video, in its poster's place.
    package var preview: ImagePreview? { poster?.info.preview ?? asset.info.preview }
}

/// What happened to one media reference, in the payload's order.
package struct Verdict: Sendable, Equatable {
    package var url: String
    package var identifier: String
    /// `nil`: it is shown.
    package var failure: MediaFailure?
    /// In place of what it is shown as less.
    package var reduction: MediaReduction?
    /// The part of a damaged source that is shown: a sentence for people.
    package var damage: String?
    /// Which frames of a longer animation are shown: a sentence for people.
    package var cut: String?
    /// The part of a film that is left out: a sentence for people.
    package var omission: String?
    /// With which a phone would refuse the original, also where a rendition is shown.
    package var unError: UNErrorCode?
    /// Why a phone would not even fetch the original: a sentence for people.
    package var phoneObstacle: String?
    /// By the file's bytes, as a MIME type; `nil` where nothing was fetched, or it is none that is known.
    package var sourceType: String?
    /// What the payload says.
    package var declaredType: DeclaredMediaType?
    package var stages: [Stage]
    /// The requests that were sent to origins for it, in the order of their ends.
    package var transfers: [TransferTiming]

    package init(
        url: String, identifier: String, failure: MediaFailure?, unError: UNErrorCode? = nil, sourceType: String? = nil,
        declaredType: DeclaredMediaType? = nil, stages: [Stage], transfers: [TransferTiming] = []
    ) {
        self.url = url
        self.identifier = identifier
        self.failure = failure
        self.unError = unError ?? failure?.unError
        self.sourceType = sourceType
        self.declaredType = declaredType
        self.stages = stages
        self.transfers = transfers
    }
}

/// What an iPhone would have done with the payload.
package struct PhoneView: Sendable, Equatable {
    /// `nil`: it is nothing that a phone receives.
    package var wouldRunExtension: Bool?
    package var why: String?

    package init(wouldRunExtension: Bool? = nil, why: String? = nil) {
        self.wouldRunExtension = wouldRunExtension
        self.why = why
    }
}

/// The processed content of one request: what is emitted, exactly once.
package struct ProcessedNotification: Sendable {
    package struct Timing: Sendable, Equatable {
        package var receivedAt: Date
        package var budget: Duration
        package var elapsed: Duration

        package init(receivedAt: Date, budget: Duration, elapsed: Duration) {
            self.receivedAt = receivedAt
            self.budget = budget
            self.elapsed = elapsed
        }
    }

    package var id: RequestID
    package var appGroup: AppGroupName
    package var profile: MediaProfile
    package var payload: PushPayload
    package var outcome: Outcome
    package var reason: DegradationReason?
    /// The receiver, as the envelope names it.
    package var recipient: String?
    /// A sentence for people where the request as a whole failed.
    package var problem: String?
    package var text: NotificationText
    package var actions: [NotificationAction]
    package var attachments: [NotificationAttachment]
    package var verdicts: [Verdict]
    package var timing: Timing
    /// The whole incoming payload.
    package var userInfo: JSONObject
    /// Would a phone have run its extension on the payload, and why not.
    package var phone: PhoneView
    /// What is to be sent on.
    package var push: JSONValue

    package init(
        id: RequestID, appGroup: AppGroupName, profile: MediaProfile, payload: PushPayload, outcome: Outcome,
        reason: DegradationReason?, problem: String? = nil, text: NotificationText, actions: [NotificationAction] = [],
        attachments: [NotificationAttachment] = [], verdicts: [Verdict] = [], timing: Timing, userInfo: JSONObject,
        phone: PhoneView = PhoneView(), push: JSONValue = ["payload": nil]
    ) {
        self.id = id
        self.appGroup = appGroup
        self.profile = profile
        self.payload = payload
        self.outcome = outcome
        self.reason = reason
        self.problem = problem
        self.text = text
        self.actions = actions
        self.attachments = attachments
        self.verdicts = verdicts
        self.timing = timing
        self.userInfo = userInfo
        self.phone = phone
        self.push = push
    }
}
