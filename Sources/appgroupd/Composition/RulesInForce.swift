import NotificationModel
import NotificationProcessor
import Primitives

/// The current rules for payloads, which a reload changes.
final class RulesInForce: Sendable {
    private let state: Guarded<PayloadRules>

    init(_ rules: PayloadRules) { state = Guarded(rules) }

    var value: PayloadRules { state.withLock(\.self) }

    func change(_ rules: PayloadRules) { state.withLock { $0 = rules } }
}
