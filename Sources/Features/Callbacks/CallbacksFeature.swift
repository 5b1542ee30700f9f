package import ArgumentParser
package import FeatureKit
package import HTTPAPI
package import RequestJournal
package import ServiceConfiguration
package import ServiceLifecycle
package import Telemetry

/// Callbacks: signed messages about results and receipts to the servers of `callbacks.targets`.
package struct CallbacksFeature: Feature {
    private let callbacks: Callbacks
    private let caller: FetcherCaller
    private let gauges: CallbackGauges

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        caller = FetcherCaller(core.runtime.fetcher, core.configuration, most: core.budget.callbacks)
        callbacks = Callbacks(
            Callbacks.Settings(core.configuration), store: core.journal, caller: caller, clock: core.clock,
            logger: core.logger)
        gauges = CallbackGauges(callbacks: callbacks, clock: core.clock)
    }

    package static var tables: [any JournalTable.Type] { [CallbackTable.self] }
    package static var commands: [any ParsableCommand.Type] { [CallbacksCommand.self] }
    package static var meanings: [String: String] { Callbacks.meanings }

    package var services: [any Service] {
        [ClosureService { [callbacks] in await cancelWhenGracefulShutdown { await callbacks.run() } }]
    }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [RouteGroup(.callbacks, CallbackRoutes(callbacks: callbacks).routes)]
    }

    package func metrics() -> [MetricFamily] { gauges.families() }

    package func uses(_ kind: DescriptorBudget.Kind) -> Int? { kind == .callbacks ? caller.count : nil }

    package func change(_ configuration: Configuration) {
        caller.change(configuration)
        callbacks.change(Callbacks.Settings(configuration))
    }
}
