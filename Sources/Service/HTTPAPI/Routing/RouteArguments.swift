package import Authentication
import Base
package import HTTPTypes
package import NotificationModel

/// The arguments of a route in the head of a request.
package struct RouteArguments: Sendable {
    package let head: HTTPRequest
    let target: RequestTarget
    /// The path of the route.
    let path: PathPattern
    package let caller: Caller
    /// The table of the server's routes.
    let table: RouteTable

    /// Reads the value of a parameter.
    package subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        get throws(Problem) {
            let text: String?
            switch parameter.place {
            case .path: text = segment(parameter.name)
            case .query: text = try target.parameter(parameter.name)
            case .header(let name): text = head.headerFields[name]
            }
            return try parameter.read(text, self)
        }
    }

    private func segment(_ name: String) -> String {
        zip(path.segments, target.segments).first { $0.0.dropFirst().dropLast() == name }?.1 ?? ""
    }

    /// Checks that the caller has the right to all groups.
    ///
    /// - Parameter subject: The beginning of the sentence that refuses the call, such as `A purge concerns`.
    package func checkAllGroups(_ subject: String) throws(Problem) {
        guard caller.groups == .all else {
            throw Problem(.forbidden, "\(subject) all groups, and the token does not permit all groups.")
        }
    }

    /// Reads the key of a request from the path and the query.
    func key() throws(Problem) -> RequestKey {
        let id = try self[.id]
        let key = RequestKey(group: try self[.namedGroup] ?? .default, id: id)
        // The response does not tell whether a group that the caller may not use has the id.
        guard caller.groups.contains(key.group) else { throw .unknown(key) }
        return key
    }

    /// Reads the parameter `group`. Without the parameter, the caller must have the right to the default group.
    package func groupOrDefault() throws(Problem) -> AppGroupName {
        if let group = try self[.group] { return group }
        guard caller.groups.contains(.default) else {
            throw Problem(
                .forbidden, "The token does not permit the group \(AppGroupName.default): name one by ?group=.",
                members: ["parameter": "group"])
        }
        return .default
    }

    /// Reads the condition of a change from `If-Match` or `If-None-Match`.
    package func condition() throws(Problem) -> VersionCondition {
        if let condition = try self[.ifMatch] { return condition }
        return try self[.ifNoneMatch]
    }
}
