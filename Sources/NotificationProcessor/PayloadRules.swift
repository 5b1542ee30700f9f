package import Authentication
import Base
package import FoundationEssentials
package import NotificationModel

/// The rules for payloads: how a payload is read, how its references are resolved, and how its media are made. A reload
/// may change the rules between two requests.
package struct PayloadRules: Sendable {
    package var dialects: DialectTable
    /// The values of requests whose envelope does not state them.
    package var defaults = RequestDefaults()
    package var locator: MediaURLResolver
    /// The language of requests that name no language.
    package var language: LanguageTag?
    /// The public URLs of renditions; `nil` if renditions are not public.
    package var mediaURLs: MediaURLs?
    /// The signed URLs of receipts; `nil` if results have none.
    package var receiptURLs: ReceiptURLs?
    package var media = MediaPreferences()
    package var forwardedTexts = ForwardedTexts.success
    /// The templates of the texts that notifications show.
    package var texts = TextTemplates()

    package init(
        dialects: DialectTable = .standard, locator: MediaURLResolver = MediaURLResolver(),
        language: LanguageTag? = nil, mediaURLs: MediaURLs? = nil
    ) {
        self.dialects = dialects
        self.locator = locator
        self.language = language
        self.mediaURLs = mediaURLs
    }

    package var envelopeReader: EnvelopeReader { EnvelopeReader(defaults: defaults, dialects: dialects) }

    /// Returns the payload of a request as its dialect reads it, in the recipient's language.
    func reading(of request: NotificationRequest) -> PushPayload {
        dialects.read(request.payload, requested: request.dialect, in: languages(of: request))
    }

    /// Returns the first location from which a request would fetch; `nil` if it would fetch nothing.
    package func firstLocation(of request: NotificationRequest, at date: Date) -> String? {
        let payload = reading(of: request).speaking(to: request.profile.platform)
        let plan = MediaPlan(payload, for: request, date: date, locator: locator)
        guard plan.noMedia == nil else { return nil }
        return plan.media.first { $0.refusal == nil && $0.fetchRefusal == nil }?.configuredLocation
    }

    /// Returns the languages of a request, from the recipient's own language to the last fallback of the default
    /// language (``LanguageTag/fallbacks``).
    func languages(of request: NotificationRequest) -> [LanguageTag] {
        [request.locale.flatMap { LanguageTag($0) }, language].compactMap(\.self).flatMap(\.fallbacks)
    }
}

/// The payload rules of all app groups. A reload replaces them together.
package struct GroupRules: Sendable {
    private var rules: PerGroup<PayloadRules>
    let served: ServedGroups

    package init(_ rules: PerGroup<PayloadRules>, served: ServedGroups = .all) {
        self.rules = rules
        self.served = served
    }

    /// Creates the same rules for all groups.
    package init(_ rules: PayloadRules) { self.init(PerGroup(rules)) }

    package func rules(for group: AppGroupName) -> PayloadRules { rules[group] }

    /// Changes the defaults of the requests of all groups, for example to those of the flags of a command.
    package mutating func changeDefaults(_ change: (inout RequestDefaults) -> Void) {
        rules.changeAll { change(&$0.defaults) }
    }

    /// Returns the rules by which the envelope of a submission is read. The group must be known before the other keys,
    /// because it decides their defaults. The reader of the envelope refuses an unusable name.
    package func rules(for submission: Submission) -> PayloadRules {
        guard !rules.isUniform else { return rules.standard }
        var group = submission.group
        if group == nil, EnvelopeKeys.isEnvelope(submission.object) {
            group = AppGroupName(named: submission.object)
        }
        return rules[group ?? rules.standard.defaults.appGroup]
    }
}
