import Composition
import JSON
import NotificationModel
import NotificationProcessor
import Primitives
import ServiceConfiguration
import Warming

/// A handler that warms the items of `POST /v1/warm` in a running daemon.
struct WarmCalls: WarmAnswering {
    let runtime: Runtime
    let clock: any RequestClock
    let configuration: ConfigurationInForce
    let limiter: WarmCallLimiter

    func answer(
        _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
    ) async {
        let current = configuration.value
        let rules = runtime.pipeline.rules
        let reader = WarmEntryReader(
            .call,
            defaults: .init(profiles: [MediaProfile.named(current.profile) ?? .ios], budget: current.budget),
            now: clock.date, date: { Timestamp.parse($0) },
            payloadURL: rules.firstLocation(RequestDefaults(current), clock))
        let warmer = PipelineWarmer(pipeline: runtime.pipeline, dialects: rules.dialects, clock: clock, groups: groups)
        let call = WarmCall(
            warmer: warmer, reader: reader, limiter: limiter,
            perHost: max(1, current.fetch.limits.connectionsPerHost / 4))
        await call.run(body, write: write)
    }
}
