/// The app groups whose requests a daemon accepts.
package struct ServedGroups: Sendable, Equatable {
    /// The groups that the configuration names, and the default group.
    package let named: Set<AppGroupName>
    /// Whether all other groups are served too.
    package let isOpen: Bool

    /// - Parameter named: The groups that the configuration names.
    package init(named: some Sequence<AppGroupName>, isOpen: Bool) {
        self.named = Set(named).union([.default])
        self.isOpen = isOpen
    }

    /// All groups, of which the configuration names none.
    package static let all = ServedGroups(named: [], isOpen: true)

    package func contains(_ group: AppGroupName) -> Bool { isOpen || named.contains(group) }
}
