import Authentication
import FoundationEssentials
import HTTPTypes
import NotificationModel
import Primitives
import WebURL

/// The arguments of the routes of named messages.
extension RouteArguments {
    /// Reads the name of a message from the path, and its group from the query.
    func message() throws(Problem) -> MessageKey {
        guard let name = RequestID(segment("{name}")) else {
            throw Problem(
                .badRequest,
                "The name in the path must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot.")
        }
        return MessageKey(group: try groupOrDefault(), name: name)
    }

    /// Reads the parameter `profile`; `nil` if the query has no such parameter.
    func messageProfile() throws(Problem) -> MediaProfile? {
        guard let name = try target.parameter("profile") else { return nil }
        return try Self.profile(name, "profile")
    }

    /// Reads the parameter `profiles`, without repetitions; empty if the query has no such parameter.
    func messageProfiles() throws(Problem) -> [MediaProfile] {
        guard let text = try target.parameter("profiles") else { return [] }
        var profiles: [MediaProfile] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let profile = try Self.profile(String(name), "profiles")
            if !profiles.contains(profile) { profiles.append(profile) }
        }
        return profiles
    }

    private static func profile(_ name: String, _ parameter: String) throws(Problem) -> MediaProfile {
        guard let profile = MediaProfile.named(name) else {
            let names = MediaProfile.all.map(\.name).joined(separator: ", ")
            throw .parameter(
                parameter, "has \(VisibleText.quoted(name, most: 64)), which is not one of \(names).")
        }
        return profile
    }

    /// Reads the parameter `expires`: a duration, or seconds since 1970; `nil` if the query has no such parameter.
    func messageExpiry() throws(Problem) -> MessageExpiry? {
        guard let text = try target.parameter("expires") else { return nil }
        if let life = DurationText.parse(text) { return .after(life) }
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Double(text)
        else {
            throw .parameter("expires", "must be a duration, such as 7d or 12h, or a number of seconds since 1970.")
        }
        return .at(Date(timeIntervalSince1970: seconds))
    }
}

/// The options of a message that is to be stored, from the target and the header fields of its HTTP request.
struct MessageOptions: Sendable {
    let key: MessageKey
    let profiles: [MediaProfile]
    let expiry: MessageExpiry?
    let condition: VersionCondition
    let preferences: Preferences
    /// The groups that the caller may use.
    let groups: GroupPermission

    init(_ arguments: RouteArguments) throws(Problem) {
        key = try arguments.message()
        profiles = try arguments.messageProfiles()
        expiry = try arguments.messageExpiry()
        condition = try arguments.condition()
        preferences = Preferences(fields: arguments.head.headerFields[values: .prefer])
        groups = arguments.caller.groups
    }
}
