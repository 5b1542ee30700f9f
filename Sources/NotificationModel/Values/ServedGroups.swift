/// The app groups whose requests a daemon accepts.
package struct ServedGroups: Sendable, Equatable {
    /// The groups that the configuration names, and the default group.
    package let named: Set<AppGroupName>
    /// Whether all other groups are served too.
    package let isOpen: Bool
    /// The groups that are not served although the others are.
    private let excluded: Set<AppGroupName>

    /// - Parameter named: The groups that the configuration names.
    /// - Parameter excluded: The groups that are not served. The default group is always served.
    package init(
        named: some Sequence<AppGroupName>, isOpen: Bool, without excluded: some Sequence<AppGroupName> = []
    ) {
        self.named = Set(named).union([.default])
        self.isOpen = isOpen
        self.excluded = Set(excluded).subtracting(self.named)
    }

    /// All groups, of which the configuration names none.
    package static let all = ServedGroups(named: [], isOpen: true)

    package func contains(_ group: AppGroupName) -> Bool {
        named.contains(group) || isOpen && !excluded.contains(group)
    }
}
