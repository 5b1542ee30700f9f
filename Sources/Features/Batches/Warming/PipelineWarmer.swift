import Base
import FeatureKit
import FoundationEssentials
import NotificationModel
import NotificationProcessor

/// A warmer that processes an item with the notification pipeline, for one profile after the other.
struct PipelineWarmer: MediaWarming {
    let pipeline: NotificationPipeline
    let clock: any RequestClock
    /// The groups for which items may be warmed.
    var groups = GroupPermission.all

    func warm(_ item: WarmItem, budget: Duration) async -> WarmOutcome {
        var media: [WarmOutcome.MediaItem] = []
        // If an envelope names its own profile, the item is made for this profile only.
        var profiles: Set<String> = []
        for profile in item.profiles where !Task.isCancelled {
            let (request, error) = request(for: item, profile, budget)
            guard profiles.insert(request.profile.name).inserted else { continue }
            if let error {
                // An item has its group in `group`. Only an envelope has the key `appGroup`.
                let isOfItem = error.isForbidden && request.appGroup == item.appGroup
                let problem = isOfItem ? "group: \(error.problem)" : error.description
                let failure = MediaFailure(.invalidPayload, problem)
                let url = if case .url(let url) = item.request { url } else { "" }
                media.append(WarmOutcome.MediaItem(url: url, profile: request.profile.name, failure: failure))
            } else {
                media += await warm(request, keepUntil: item.keepUntil)
            }
        }
        return WarmOutcome(media)
    }

    private func request(
        for item: WarmItem, _ profile: MediaProfile, _ budget: Duration
    ) -> (request: NotificationRequest, error: EnvelopeError?) {
        var defaults = RequestDefaults()
        defaults.appGroup = item.appGroup
        defaults.profile = profile
        defaults.budget = budget
        let object: JSONObject
        switch item.request {
        case .url(let url):
            object = ["title": "", "media": [["url": .string(url)]]]
            defaults.dialect = "native"
        case .payload(let payload): object = payload
        }
        let dialects = pipeline.rules(for: item.appGroup).dialects
        let reader = EnvelopeReader(defaults: defaults, dialects: dialects)
        var submission = Submission(object: object, arrival: clock.reading)
        submission.permittedGroups = groups
        return reader.request(from: submission)
    }

    private func warm(_ request: NotificationRequest, keepUntil date: Date?) async -> [WarmOutcome.MediaItem] {
        let warmed = await pipeline.warm(request, keepUntil: date)
        return warmed.filter { $0.failure?.reason != .otherProfile }.map { warmed in
            var item = WarmOutcome.MediaItem(url: warmed.url, profile: request.profile.name, failure: warmed.failure)
            item.retryAfter = warmed.failure?.retryAfter
            if let attachment = warmed.result.attachment {
                // A rendition with a reduction does not meet the profile, and other requests do not get it.
                item.failure = attachment.reduction?.failure
                item.cache = attachment.cache
                item.sourceBytes = attachment.sourceByteCount
                item.renditionBytes = [attachment.asset, attachment.thumbnail, attachment.poster]
                    .compactMap { $0?.info.byteCount }.reduce(0, +)
                item.isKept = date != nil
            }
            return item
        }
    }
}

extension PayloadRules {
    /// Returns a function that returns the first URL of a payload or an envelope; `nil` if nothing would be fetched.
    func firstLocation(_ defaults: RequestDefaults, _ clock: any RequestClock) -> @Sendable (JSONObject) -> String? {
        let reader = EnvelopeReader(defaults: defaults, dialects: dialects)
        return { object in
            let (request, error) = reader.request(from: Submission(object: object, arrival: clock.reading))
            return error == nil ? firstLocation(of: request, at: clock.date) : nil
        }
    }
}
