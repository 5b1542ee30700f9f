import NotificationModel

/// The name of a file in the spool of an app group.
struct SpoolFile: Sendable, Hashable {
    let group: AppGroupName
    let name: String

    /// The key of the request, unless an envelope in the file has an id; `nil` if the name is not a valid id.
    var key: RequestKey? { RequestID(SpoolName.stem(name)).map { RequestKey(group: group, id: $0) } }
}
