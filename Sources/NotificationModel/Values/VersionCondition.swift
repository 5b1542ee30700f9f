/// The condition of a change: the version that the resource must have (RFC 9110 §13.1).
package enum VersionCondition: Sendable, Equatable {
    case none
    case exists
    case isMissing
    case hasVersion([Int])

    /// Returns whether a resource meets the condition.
    ///
    /// - Parameter version: The version of the resource; `nil` if it does not exist.
    package func isMet(by version: Int?) -> Bool {
        switch self {
        case .none: true
        case .exists: version != nil
        case .isMissing: version == nil
        case .hasVersion(let versions): version.map(versions.contains) ?? false
        }
    }
}
