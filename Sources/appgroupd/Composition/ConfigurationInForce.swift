import Logging
import NotificationModel
import ServiceConfiguration

/// What counts at the moment: what it was started with, and what was reloaded since.
final class ConfigurationInForce: Sendable {
    private let state: Guarded<Configuration>

    init(_ configuration: Configuration) { state = Guarded(configuration) }

    func reload(from loaded: Configuration) -> (ConfigurationDifference, Configuration) {
        state.withLock { state in
            let difference = state.difference(to: loaded)
            state = state.reloaded(from: loaded)
            return (difference, state)
        }
    }
}

extension Configuration.Log.Level {
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
