package import NotificationModel

/// How payloads are read, where what they refer to is, and how well it is made: what a reload may change between two
/// requests.
package struct PayloadRules: Sendable {
    package var dialects: DialectTable
    package var locator: MediaURLResolver
    /// Of requests that name no language.
    package var language: LanguageTag?
    /// Under which renditions are reached from outside, without a slash at its end; `nil`: they are not.
    package var publicURL: String?
    package var media = MediaPreferences()
    /// Which texts the payload to send on has.
    package var forwardedTexts = ForwardedTexts.success

    package init(
        dialects: DialectTable = .standard, locator: MediaURLResolver = MediaURLResolver(),
        language: LanguageTag? = nil,
        publicURL: String? = nil
    ) {
        self.dialects = dialects
        self.locator = locator
        self.language = language
        self.publicURL = publicURL
    }

    /// The payload of a request as its dialect reads it, in the receiver's language.
    func reading(of request: NotificationRequest) -> PushPayload {
        dialects.read(request.payload, requested: request.dialect, in: languages(of: request))
    }

    /// The first place that a request would be fetched from; `nil` if it would fetch nothing.
    package func firstLocation(of request: NotificationRequest, at now: Arrival) -> String? {
        let planned = PlannedRequest(request, reading(of: request), self, at: now)
        guard planned.plan.settled == nil else { return nil }
        return planned.plan.media.first { $0.refusal == nil && $0.fetchRefusal == nil }?.locations.first
    }

    /// From the receiver's own to the default one's shortest form (RFC 4647 §3.4).
    func languages(of request: NotificationRequest) -> [LanguageTag] {
        [request.locale.flatMap { LanguageTag($0) }, language].compactMap(\.self).flatMap(\.fallbacks)
    }
}
