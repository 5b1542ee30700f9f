import AppGroupStore
import Base
import FeatureKit
import Features
import HTTPAPI
import MediaFetcher
import NotificationModel
import RequestCoordinator
import RequestJournal
import ServiceConfiguration
import Telemetry
import TranscodePool

/// The routes, the metrics and the facts of the daemon's HTTP server.
extension Daemon {
    /// Returns the routes of the core and of all features.
    func routes(_ context: CallContext) -> [RouteGroup] {
        let (journal, coordinator) = (core.journal, core.coordinator)
        let notifications = NotificationRoutes(coordinator, context)
        let monitoring = MonitoringRoutes(facts(context), coordinator, context)
        let events = EventRoutes(coordinator, listing: journal, recipients: journal, context)
        let purging = CacheRoutes(RuntimePurge(runtime: runtime, logger: logger)) { [features] in
            for feature in features { feature.forgetFiles() }
        }
        return [
            RouteGroup(.submission, [notifications.submission]), RouteGroup(.requests, notifications.routes),
            RouteGroup(.events, events.routes), RouteGroup(.status, [monitoring.status]),
            RouteGroup(.cache, purging.routes), RouteGroup(.monitoring, monitoring.routes),
        ] + features.flatMap { $0.routes(context) }
    }

    /// Adds the metrics of the core and of all features.
    func addMetrics() {
        let registry = telemetry.metrics
        registry.add(ResourceMetrics(store: runtime.store, spool: spool).families)
        registry.add { [current = core.current] in
            [
                MetricFamily(
                    "appgroupd_reload_refused", .gauge, current.isReloadRefused ? 1 : 0,
                    help: "1 while the last reload was refused, because the new configuration has an error, else 0.")
            ]
        }
        registry.add(CooldownReport(table: runtime.fetcher.resting).families)
        registry.add(hosts.families)
        registry.add(
            LoadMetrics(
                requests: { [coordinator = core.coordinator] in coordinator.load },
                workers: { [runtime] in runtime.workerLoad }
            ).families)
        if let recorder { registry.add(recorder.families) }
        if let cacheMetrics { registry.add(cacheMetrics.families) }
        for feature in features { registry.add { feature.metrics() } }
    }

    /// Returns the facts about the daemon, and the reports of its parts for `top`, `status` and `support-bundle`.
    private func facts(_ context: CallContext) -> DaemonFacts {
        var facts = DaemonFacts(version: Installation.version, context)
        facts.canStore = { [journal = core.journal] in journal.isWritable }
        facts.areDescriptorsShort = { DescriptorBudget.isShort }
        facts.isWorkerOfOtherBuild = { [sandbox] in sandbox.isOfOtherBuild }
        facts.scannedGroups = { [spool] in spool.scannedGroups }
        facts.isReloadRefused = { [current = core.current] in current.isReloadRefused }
        facts.invalidGroups = { [current = core.current] in current.value.groups.invalid.keys.sorted() }
        facts.sandbox = { [sandbox] in sandbox.json }
        facts.restingHosts = { [report = CooldownReport(table: runtime.fetcher.resting)] in report.json }
        facts.metrics = { [metrics = telemetry.metrics] in metrics.render() }
        facts.recent = { [coordinator = core.coordinator] in coordinator.recentResults }
        facts.workers = { [runtime] in
            let load = runtime.workerLoad
            return [
                "most": .number(load.most), "running": .number(load.running), "busy": .number(load.busy),
                "waiting": .number(load.waiting),
            ]
        }
        facts.hosts = { [report = HostReport(table: hosts, resting: runtime.fetcher.resting)] order, most in
            report.json(by: order, most: most, at: .now)
        }
        facts.samples = { [coordinator = core.coordinator] in coordinator.requestSamples }
        return facts
    }
}
