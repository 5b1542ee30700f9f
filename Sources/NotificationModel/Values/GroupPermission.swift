/// The app groups that a caller may use.
package enum GroupPermission: Sendable, Equatable {
    case all
    case only(Set<AppGroupName>)

    /// Creates a permission from names. The name `*` stands for all groups. Texts that are no names of groups permit
    /// nothing.
    package init(names: some Sequence<String>) {
        let names = Set(names)
        self = names.contains("*") ? .all : .only(Set(names.compactMap { AppGroupName($0) }))
    }

    /// The names from which `init(names:)` makes the permission, in order.
    package var names: [String] { listed?.map(\.description) ?? ["*"] }

    /// The groups; `nil` if all groups are permitted.
    package var listed: [AppGroupName]? {
        switch self {
        case .all: nil
        case .only(let groups): groups.sorted { $0.description < $1.description }
        }
    }

    package func contains(_ group: AppGroupName) -> Bool {
        switch self {
        case .all: true
        case .only(let groups): groups.contains(group)
        }
    }
}
