import AppGroupStore
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import MediaFetcher
import NotificationModel
import NotificationProcessor
import RequestCoordinator
import RequestJournal
import TranscodePool

/// The reports of a daemon about itself, to operators and to the service manager.
extension Daemon {
    /// Returns a function that counts the uses of descriptors.
    func uses(_ server: HTTPServer) -> @Sendable (DescriptorBudget.Kind) -> Int? {
        { [runtime, features] kind in
            switch kind {
            case .daemon, .margin: nil
            case .workers: runtime.workerLoad.running
            case .connections: server.connectionCount
            case .batches: server.streamedBatchCount
            case .indexes: runtime.store.indexOpenings.open
            case .media: runtime.pipeline.mediaCount
            case .callbacks: features.lazy.compactMap { $0.uses(kind) }.first
            case .validations: runtime.fetcher.validationCount
            }
        }
    }

    func lifeSigns(of server: HTTPServer) -> LifeSigns {
        LifeSigns(
            notifier: ServiceNotifier(), watchdog: ServiceNotifier.watchdogInterval(),
            parts: [
                .init(name: "journal") { [journal = core.journal] in await journal.answer() },
                .init(name: "http") { await server.answer() },
                .init(name: "network") { [loop = runtime.fetcher.loop] in await loop.perform {} },
                .init(name: "clock") { [clock] in await clock.sleep(until: clock.now.advanced(by: .milliseconds(1))) },
            ], status: { lifeStatus() }, clock: clock, logger: logger)
    }

    /// Returns the state of the daemon in words, for `systemctl status`.
    func lifeStatus() -> String {
        let load = core.coordinator.load
        let resting = runtime.fetcher.resting.hosts(at: .now).count
        let words =
            switch core.phase.value {
            case .starting: "starting"
            case .ready: "ready"
            case .draining: "draining"
            }
        return "\(words): \(load.running) running, \(load.queued) queued, \(load.accepted) accepted"
            + (resting > 0 ? ", \(HumanText.counted(resting, "host")) resting" : "")
    }
}
