import Logging
import NotificationModel
import NotificationProcessor
import Primitives
import ServiceConfiguration

/// A reader of requests with the current defaults of the configuration, which a reload changes.
final class ConfiguredReader: RequestReading {
    private let reader: Guarded<EnvelopeReader>
    /// The groups that the daemon serves. `nil` means all groups.
    private let groups: Set<AppGroupName>?

    init(_ configuration: Configuration, _ rules: PayloadRules) {
        reader = Guarded(Self.reader(configuration, rules))
        let listed = configuration.groups.compactMap { AppGroupName($0) }
        groups = listed.isEmpty ? nil : Set(listed).union([.default])
    }

    func change(_ configuration: Configuration, _ rules: PayloadRules) {
        reader.withLock { $0 = Self.reader(configuration, rules) }
    }

    func request(from submission: Submission) -> (request: NotificationRequest, error: EnvelopeError?) {
        let (request, error) = reader.withLock { $0 }.request(from: submission)
        guard error == nil, let groups, !groups.contains(request.appGroup) else { return (request, error) }
        return (
            request,
            EnvelopeError(key: "appGroup", problem: "\(request.appGroup) is not a group that this daemon serves")
        )
    }

    private static func reader(_ configuration: Configuration, _ rules: PayloadRules) -> EnvelopeReader {
        EnvelopeReader(defaults: RequestDefaults(configuration), dialects: rules.dialects)
    }
}

/// The current configuration. It begins with the configuration of the start, and a reload changes it.
final class ConfigurationInForce: Sendable {
    private let state: Guarded<Configuration>

    init(_ configuration: Configuration) { state = Guarded(configuration) }

    var value: Configuration { state.withLock { $0 } }

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
