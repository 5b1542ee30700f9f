import AppGroupStore
import Authentication
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import Logging
import MediaFetcher
import NotificationModel
import NotificationProcessor
import RequestCoordinator
import ServiceConfiguration
import Telemetry

/// The reload of the configuration after SIGHUP.
extension Daemon {
    /// Applies a loaded configuration, and logs the changes.
    func reconfigure(_ loaded: Result<Configuration, ConfigurationErrors>) {
        try? ServiceNotifier().reloading()
        defer { try? ServiceNotifier().ready() }
        // A program that moves log files sends SIGHUP, whether the configuration is valid or not.
        telemetry.reopen()
        core.current.isReloadRefused = (try? loaded.get()) == nil
        switch loaded {
        case .failure(let errors):
            for line in errors.lines { logger.error("not reloaded: \(line) (the old configuration stays in force)") }
        case .success(let loaded):
            let (difference, configuration) = core.current.reload(from: loaded)
            runtime.fetcher.change(FetchPolicy(configuration))
            // The new keys of signed URLs are known before the first URL is signed with them.
            for feature in features { feature.change(configuration) }
            runtime.pipeline.change(GroupRules(configuration))
            spool.change(configuration.groups.served)
            core.coordinator.change(PerGroup(configuration, \.requests.perGroup))
            certificate?.refresh()
            access.change(Authenticator(configuration))
            evictionTask.change(ContainerLimits(configuration))
            runtime.store.change(pinQuota: configuration.media.container.quota)
            for (group, lines) in configuration.groups.invalid.sorted(by: { $0.key < $1.key }) {
                let effect = configuration.groups[group] == nil ? "it is not served" : "its old settings stay in force"
                for line in lines { logger.error("the settings of \(group) are not reloaded: \(line) (\(effect))") }
            }
            for warning in configuration.auth.warnings { logger.warning("\(warning)") }
            // The changes are in force before they are logged. They are logged at the old log level.
            for words in difference.words { logger.notice("\(words)") }
            if difference.isEmpty { logger.notice("reloaded: nothing has changed") }
            telemetry.change(LogSettings(configuration.log))
        }
    }
}

extension Authenticator {
    /// Creates the check of the callers of a configuration.
    convenience init(_ configuration: Configuration) {
        self.init(tokens: configuration.tokens, issuers: configuration.auth.issuers)
    }
}
