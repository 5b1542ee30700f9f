package import NotificationModel

/// The maximum numbers of unfinished requests of single app groups, so that one app does not use all places.
package struct GroupRequestLimits: Sendable {
    private let each: Int?
    private let groups: [AppGroupName: Int]

    /// - Parameter each: The limit of each group; `nil` if only the limit of all requests applies.
    /// - Parameter groups: The limits of the groups that have their own.
    package init(each: Int? = nil, groups: [AppGroupName: Int] = [:]) {
        self.each = each
        self.groups = groups
    }

    subscript(group: AppGroupName) -> Int { groups[group] ?? each ?? .max }
}
