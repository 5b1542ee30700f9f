import AppGroupStore
package import ArgumentParser
package import FeatureKit
package import HTTPAPI
package import NotificationModel
import RequestCoordinator
import RequestJournal
package import ServiceConfiguration
package import ServiceLifecycle
package import Telemetry

/// Batches: bodies with a request in each line, stored batches, and media that are warmed.
package struct BatchesFeature: Feature {
    private let batches: Batches
    private let warming: WarmCalls

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        let (configuration, runtime) = (core.configuration, core.runtime)
        // At most half of the queue, so that single requests always have room.
        let units = min(BatchLimits.units, (configuration.requests.inFlight + configuration.requests.queued) / 2)
        batches = Batches(
            .init(
                limits: BatchLimits(maxBytes: configuration.batches.maxBytes), quota: configuration.batches.quota,
                maxScratch: configuration.batches.maxScratch, retention: configuration.batches.retention),
            intake: core.coordinator, templates: core.journal,
            planner: BatchPlanner(runtime: runtime, configuration: core.current, clock: core.clock),
            shares: BatchShares(units: units), root: "\(configuration.root)/\(RequestJournal.directoryName)",
            on: runtime.store.disk, large: core.large, clock: core.clock, logger: core.logger,
            freeSpace: { await runtime.freeSpace($0) }, problem: BatchProblems.json)
        warming = WarmCalls(
            runtime: runtime, clock: core.clock, configuration: core.current,
            limiter: WarmCallLimiter(clock: core.clock))
    }

    package static var erasedStores: [any Erasable.Type] { [Batches.self] }
    package static var commands: [any ParsableCommand.Type] { [BatchCommand.self, WarmCommand.self] }
    package var stores: [any Erasable] { [batches] }
    package var services: [any Service] { [batches] }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [
            RouteGroup(.batches, BatchRoutes(batches: batches, context: context).routes),
            RouteGroup(.warming, WarmRoutes(warming: warming, context: context).routes),
        ]
    }

    package func recover() async throws { try await batches.recover() }
    package func change(_ configuration: Configuration) { batches.change(maxScratch: configuration.batches.maxScratch) }

    package func metrics() -> [MetricFamily] {
        let figures = batches.figures
        return [
            MetricFamily(
                "appgroupd_batches", by: "state", ["ended": Double(figures.ended), "open": Double(figures.open)],
                help: "Stored batches, by whether they have ended."),
            MetricFamily(
                "appgroupd_batch_stored_bytes", .gauge, Double(figures.byteCount),
                help: "Bytes of the bodies and results of stored batches."),
            MetricFamily(
                name: "appgroupd_batch_lines_total", kind: .counter,
                help: "Lines of batches, by whether they were a request.",
                samples: [("emitted", figures.emittedLines), ("failed", figures.failedLines)].map { result, count in
                    .init(labels: [MetricLabel(name: "result", value: result)], value: Double(count))
                }),
        ]
    }
}
