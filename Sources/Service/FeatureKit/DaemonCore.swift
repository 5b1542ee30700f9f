package import Base
package import HTTPAPI
package import LinuxIO
package import Logging
package import NotificationModel
package import RequestCoordinator
package import RequestJournal
package import ServiceConfiguration

/// The parts of a daemon that its features share: the pipeline, the journal, and the coordinator of requests.
package struct DaemonCore: Sendable {
    /// The configuration at the start.
    package let configuration: Configuration
    package let current: CurrentConfiguration
    package let budget: DescriptorBudget
    package let clock: EventLoopClock
    package let runtime: Runtime
    package let journal: RequestJournal
    package let coordinator: RequestCoordinator
    /// The stores of the core from which an erasure removes data. The coordinator is the first one, because it cancels
    /// requests, so that the other stores remove their results.
    package let stores: [any Erasable]
    /// The thread on which large payloads are processed.
    package let large: LargePayloadExecutor
    package let logger: Logger
    /// The current phase of the daemon, which never returns to an earlier phase.
    package let phase: CurrentValue<DaemonPhase>

    package init(
        configuration: Configuration, current: CurrentConfiguration, budget: DescriptorBudget, clock: EventLoopClock,
        runtime: Runtime, journal: RequestJournal, coordinator: RequestCoordinator, stores: [any Erasable],
        large: LargePayloadExecutor,
        logger: Logger, phase: CurrentValue<DaemonPhase>
    ) {
        (self.configuration, self.current, self.budget, self.clock) = (configuration, current, budget, clock)
        (self.runtime, self.journal, self.coordinator) = (runtime, journal, coordinator)
        (self.stores, self.large) = (stores, large)
        (self.logger, self.phase) = (logger, phase)
    }
}

/// The current configuration. It is the configuration at the start of the daemon until a reload changes it.
package final class CurrentConfiguration: Sendable {
    private let state: Guarded<Configuration>
    private let refused = Guarded(false)

    package init(_ configuration: Configuration) { state = Guarded(configuration) }

    package var value: Configuration { state.withLock { $0 } }

    /// Whether the last reload was refused, because the new configuration has an error.
    package var isReloadRefused: Bool {
        get { refused.withLock(\.self) }
        set { refused.withLock { $0 = newValue } }
    }

    package func reload(from loaded: Configuration) -> (ConfigurationDifference, Configuration) {
        state.withLock { state in
            let difference = state.difference(to: loaded)
            state = state.reloaded(from: loaded)
            return (difference, state)
        }
    }
}
