import Base
import FeatureKit
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

/// A handler that warms the items of `POST /v1/warm` in a running daemon.
struct WarmCalls: WarmAnswering {
    let runtime: Runtime
    let clock: any RequestClock
    let configuration: CurrentConfiguration
    let limiter: WarmCallLimiter

    func answer(
        _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
    ) async {
        let current = configuration.value
        // Payloads are only paced by their first URL, so the rules of the default group are enough for it.
        let rules = runtime.pipeline.rules(for: .default)
        let reader = WarmEntryReader(
            form: .call,
            defaults: .init(profiles: [MediaProfile.named(current.profile) ?? .ios], budget: current.budget),
            now: clock.date, date: { Timestamp.parse($0) },
            payloadURL: rules.firstLocation(RequestDefaults(current), clock))
        let warmer = PipelineWarmer(pipeline: runtime.pipeline, clock: clock, groups: groups)
        let call = WarmCall(
            warmer: warmer, reader: reader, limiter: limiter,
            perHost: max(1, current.fetch.limits.connectionsPerHost / 4))
        await call.run(body, write: write)
    }
}
