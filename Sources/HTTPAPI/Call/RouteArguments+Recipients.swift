import Authentication
import HTTPTypes
import JSON
import NotificationModel
import Primitives
import WebURL

/// The arguments of the routes of receivers, and the conditions of changes.
extension RouteArguments {
    /// Reads the name of a receiver from the path, and its group from the query.
    func recipient() throws(Problem) -> ReceiverName {
        guard let name = ReceiverName.parse(id) else {
            throw Problem(
                .badRequest,
                "The name in the path must have 1 to \(ReceiverName.mostScalars) characters, without controls and line ends."
            )
        }
        return ReceiverName(group: try groupOrDefault(), name: name)
    }

    /// Reads the parameter `group`, which must be a group that the caller may use. Without the parameter, the default
    /// group must be one.
    func groupOrDefault() throws(Problem) -> AppGroupName {
        if let group = try group() { return group }
        guard caller.groups.contains(.default) else {
            throw Problem(
                .forbidden, "The token does not permit the group \(AppGroupName.default): name one by ?group=.",
                members: ["parameter": "group"])
        }
        return .default
    }

    /// Reads the condition of a change from `If-Match` or `If-None-Match`.
    func condition() throws(Problem) -> VersionCondition {
        if let tags = head.headerFields[.ifMatch] {
            if tags[...].trimmingBlanks == "*" { return .exists }
            let versions = tags.split(separator: ",").map { Self.version($0.trimmingBlanks) }
            guard !versions.isEmpty, !versions.contains(nil) else {
                throw .header("If-Match", "must be an ETag, such as \"17\", or *.")
            }
            return .hasVersion(versions.compactMap(\.self))
        }
        guard let tags = head.headerFields[.ifNoneMatch] else { return .none }
        guard tags[...].trimmingBlanks == "*" else {
            throw .header("If-None-Match", "must be *. To change a version that was read, use If-Match.")
        }
        return .isMissing
    }

    /// Returns the version in a strong entity tag; `nil` for any other text.
    private static func version(_ tag: Substring) -> Int? {
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        let digits = tag.dropFirst().dropLast()
        return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits) : nil
    }
}
