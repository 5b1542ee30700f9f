package import NotificationModel
package import NotificationProcessor
import Primitives
package import ServiceConfiguration

/// A reader of requests with the current defaults of the configuration, which a reload changes.
package final class ConfiguredReader: RequestReading {
    private let reader: Guarded<EnvelopeReader>
    /// The groups that the daemon serves. `nil` means all groups.
    private let groups: Set<AppGroupName>?

    package init(_ configuration: Configuration, _ rules: PayloadRules) {
        reader = Guarded(Self.reader(configuration, rules))
        let listed = configuration.groups.compactMap { AppGroupName($0) }
        groups = listed.isEmpty ? nil : Set(listed).union([.default])
    }

    package func change(_ configuration: Configuration, _ rules: PayloadRules) {
        reader.withLock { $0 = Self.reader(configuration, rules) }
    }

    package func request(from submission: Submission) -> (request: NotificationRequest, error: EnvelopeError?) {
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

/// The current rules for payloads, which a reload changes.
package final class RulesInForce: Sendable {
    private let state: Guarded<PayloadRules>

    package init(_ rules: PayloadRules) { state = Guarded(rules) }

    package var value: PayloadRules { state.withLock(\.self) }

    package func change(_ rules: PayloadRules) { state.withLock { $0 = rules } }
}
