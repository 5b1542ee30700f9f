/// The types of events about which callback targets get messages.
package enum CallbackType {
    /// The types of events about results and receipts.
    package static let all = Outcome.allCases.map { name(of: $0) } + Receipt.Event.allCases.map { name(of: $0) }

    package static func name(of outcome: Outcome) -> String { "notification.\(outcome.rawValue)" }

    package static func name(of event: Receipt.Event) -> String { "receipt.\(event.rawValue)" }

    /// Returns whether a name is that of a target that the settings of a provider make. The name has a dot and the name
    /// of a group at its end if the group has settings of its own. No configured target has such a name.
    package static func isTargetOfProvider(_ name: String) -> Bool {
        ["sendios", "comapi"].contains { name == $0 || name.hasPrefix("\($0).") }
    }
}
