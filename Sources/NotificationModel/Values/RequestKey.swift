/// What a request is known by: ids are unique in their group.
package struct RequestKey: Sendable, Hashable {
    package var group: AppGroupName
    package var id: RequestID

    package init(group: AppGroupName, id: RequestID) {
        self.group = group
        self.id = id
    }
}
