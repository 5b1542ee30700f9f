package import Base
package import FoundationEssentials

/// An attachment as it is shown: the stored rendition and its origin.
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
    /// The URL under which a server makes the file public; `nil` if it is not public.
    package var publicURL: String?
    package var role = MediaRole.attachment
    /// Whether the file is in the container for the app's own view, so that the system must not attach it.
    package var isAside = false
    /// The recipe of the files; `nil` if they do not meet the whole recipe.
    package var recipe: RenditionRecipe?
    /// The part of the profile that the file does not meet; `nil` if the file meets the whole profile.
    package var reduction: MediaReduction?
    /// A sentence for people about the part of a damaged source that the file shows; `nil` if the source is intact.
    package var damage: String?
    /// A sentence for people about the content encoding of a source that is whole; `nil` without a fault.
    package var codingFault: String?
    /// The facts about the video or audio source of the file; `nil` for other sources.
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

    /// The placeholder until the file is loaded. For a video, it is that of the poster.
    package var preview: ImagePreview? { poster?.info.preview ?? asset.info.preview }
}

/// The result for one media reference. Verdicts have the order of the payload.
package struct Verdict: Sendable, Equatable {
    package var url: String
    package var identifier: String
    /// The reason for which the item is not shown; `nil` if it is shown.
    package var failure: MediaFailure?
    /// The reduction with which the item is shown; `nil` if it is complete.
    package var reduction: MediaReduction?
    /// A sentence for people about the part of a damaged source that is shown.
    package var damage: String?
    /// A sentence for people about the content encoding of a source that is whole.
    package var codingFault: String?
    /// A sentence for people about the frames of a longer animation that are shown.
    package var cut: String?
    /// A sentence for people about the part of a video that is left out.
    package var omission: String?
    /// The error with which a phone would refuse the original, even if a rendition is shown.
    package var unError: UNErrorCode?
    /// A sentence for people with the reason why a phone would not even fetch the original.
    package var phoneObstacle: String?
    /// The MIME type that the file's bytes show; `nil` if no file was fetched, or if its type is unknown.
    package var sourceType: String?
    package var declaredType: DeclaredMediaType?
    /// The reason why a still of the bytes that arrived is not shown, for the log.
    package var stillFailure: MediaFailure?
    package var stages: [Stage]
    /// The requests that were sent to origins for the item, in the order of their ends.
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

/// The behaviour of an iPhone that receives the payload.
package struct PhoneView: Sendable, Equatable {
    /// Whether the phone would run the app's service extension; `nil` if no phone receives such a payload.
    package var wouldRunExtension: Bool?
    package var why: String?

    package init(wouldRunExtension: Bool? = nil, why: String? = nil) {
        self.wouldRunExtension = wouldRunExtension
        self.why = why
    }
}

/// The processed content of one request, which is emitted exactly once.
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
    /// The recipient as the envelope names it.
    package var recipient: String?
    /// The labels of the envelope, in its order.
    package var labels: [String] = []
    /// The names of the call that submitted the request.
    package var trace = CallTrace()
    /// The signed URLs of receipts, by the event; empty if the notification has none.
    package var receiptURLs: JSONObject = [:]
    /// A sentence for people if the whole request failed.
    package var problem: String?
    package var text: NotificationText
    package var actions: [NotificationAction]
    package var attachments: [NotificationAttachment]
    package var verdicts: [Verdict]
    package var timing: Timing
    /// The whole incoming payload.
    package var userInfo: JSONObject
    /// Whether a phone would run its extension on the payload, and the reason if the phone would not run it.
    package var phone: PhoneView
    /// The payload and the headers to forward.
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

extension ProcessedNotification {
    /// Whether the notification has something that a phone shows: a text, or an attachment. A badge or a sound alone, and a
    /// silent push, show nothing. Together with ``Outcome/isShown`` this decides which notifications count as shown.
    package var hasContent: Bool {
        !payload.isSilent && (!text.isBlank || !payload.localization.isEmpty || !attachments.isEmpty)
    }
}

extension MediaWork {
    /// Creates the work of the media of a notification.
    package init(_ notification: ProcessedNotification) {
        originFetches = notification.verdicts.reduce(0) { $0 + $1.transfers.count { !$0.isOfOther } }
        for attachment in notification.attachments {
            if attachment.cache == .miss {
                fetched.items += 1
                fetched.bytes += attachment.sourceByteCount
            } else {
                bytesSaved += attachment.sourceByteCount
            }
        }
        for verdict in notification.verdicts where !verdict.transfers.isEmpty && verdict.failure == nil {
            for stage in verdict.stages {
                preparation.whole += stage.duration
                if StageName.inWorkers.contains(stage.name) { preparation.workers += stage.duration }
            }
        }
    }
}
