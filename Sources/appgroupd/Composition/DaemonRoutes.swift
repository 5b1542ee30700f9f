import AppGroupStore
import Base
import Batches
import Callbacks
import CommandSupport
import Composition
import Erasure
import HTTPAPI
import Matrix
import MediaFetcher
import Messages
import NotificationModel
import Receivers
import RequestCoordinator
import RequestJournal
import ServiceConfiguration
import Telemetry
import TranscodePool

/// The routes of the daemon's HTTP server.
extension Daemon {
    /// The tables of all features in the journal's database.
    static let tables: [any JournalTable.Type] = [
        ReceiverTable.self, ListTable.self, ErasureTable.self, MessageTable.self, ReceiptTable.self, CallbackTable.self,
    ]

    /// Returns the routes of all features, in the order in which errors and documents list them.
    func routes(_ context: CallContext) -> [Route] {
        let notifications = NotificationRoutes(coordinator, context)
        let monitoring = MonitoringRoutes(facts(context), coordinator, context)
        let warming = WarmCalls(
            runtime: runtime, clock: clock, configuration: inForce, limiter: WarmCallLimiter(clock: clock))
        let receipts = ReceiptRecorder(coordinator: coordinator, store: journal, copies: runtime.store)
        let features: [[Route]] = [
            [notifications.submission], BatchRoutes(batches, context).routes, notifications.routes,
            EventRoutes(coordinator, listing: journal, receivers: journal, context).routes, [monitoring.status],
            WarmRoutes(warming, context).routes,
            CacheRoutes(RuntimePurge(runtime: runtime, logger: logger), media).routes, MediaRoutes(media).routes,
            monitoring.routes,
            ListRoutes(journal, coordinator, receivers: journal, messages: messages, context).routes,
            ReceiptRoutes(receipts, signedReceipts, receivers: journal, context).routes,
            CallbackRoutes(callbacks).routes, ErasureRoutes(eraser).routes, RecipientRoutes(journal, context).routes,
            MessageRoutes(messages, context).routes, MatrixRoutes(matrix, coordinator, context).routes,
        ]
        return features.flatMap(\.self)
    }

    /// Returns the facts about the daemon, and the reports of its parts for `top`, `status` and `support-bundle`.
    private func facts(_ context: CallContext) -> DaemonFacts {
        var facts = DaemonFacts(version: Installation.version, context)
        facts.canStore = { [journal] in journal.isWritable }
        facts.areDescriptorsShort = { DescriptorBudget.isShort }
        facts.scannedGroups = { [spool] in spool.scannedGroups }
        facts.invalidGroups = { [inForce] in inForce.value.groups.invalid.keys.sorted() }
        facts.sandbox = { [sandbox] in sandbox.json }
        facts.restingHosts = { [report = RestingHostReport(table: runtime.fetcher.resting)] in report.json }
        facts.metrics = { [metrics = telemetry.metrics] in metrics.render() }
        facts.recent = { [coordinator] in coordinator.recentResults }
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
        facts.samples = { [coordinator] in coordinator.requestSamples }
        return facts
    }
}
