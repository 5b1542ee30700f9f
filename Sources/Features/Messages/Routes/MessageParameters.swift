import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import HTTPTypes
import NotificationModel

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
        profiles = try arguments[MessageRoutes.profiles]
        expiry = try arguments[MessageRoutes.messageExpiry]
        condition = try arguments.condition()
        preferences = try arguments[MessageRoutes.messageWait]
        groups = arguments.caller.groups
    }
}

extension RouteArguments {
    /// Reads the name of a message from the path, and its group from the query.
    func message() throws(Problem) -> MessageKey {
        let name = try self[MessageRoutes.messageName]
        return MessageKey(group: try groupOrDefault(), name: name)
    }
}

extension MediaProfile {
    fileprivate init(_ name: String, of parameter: String) throws(Problem) {
        guard let profile = MediaProfile.named(name) else {
            let names = MediaProfile.all.map(\.name).joined(separator: ", ")
            throw .parameter(parameter, "has \(VisibleText.quoted(name, most: 64)), which is not one of \(names).")
        }
        self = profile
    }
}

extension MessageRoutes {
    static let messageName = Parameter<MessageName>(
        "name", in: .path, "The name of the message, percent-encoded.",
        ["type": "string", "minLength": 1, "maxLength": 256]
    ) { text, _ throws(Problem) in
        guard let name = MessageName(text ?? "") else {
            throw Problem(.badRequest, "The name in the path must have \(MessageName.rule).")
        }
        return name
    }
    static let profile = Parameter<MediaProfile?>(
        "profile", in: .query, "The profile of the content. The default is the first profile of the message.",
        ["type": "string", "enum": .array(MediaProfile.all.map { .string($0.name) })]
    ) { name, _ throws(Problem) in
        guard let name else { return nil }
        return try MediaProfile(name, of: "profile")
    }
    /// The profiles, without repetitions.
    static let profiles = Parameter<[MediaProfile]>(
        "profiles", in: .query,
        "The profiles for which the message is prepared, with commas between them. The default is the profile of the envelope, or of the app group.",
        .examples("ios", "ios,android")
    ) { text, _ throws(Problem) in
        guard let text else { return [] }
        var profiles: [MediaProfile] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            let profile = try MediaProfile(String(name), of: "profiles")
            if !profiles.contains(profile) { profiles.append(profile) }
        }
        return profiles
    }
    /// The expiry: a duration, or seconds since 1970.
    static let messageExpiry = Parameter<MessageExpiry?>(
        "expires",
        "The life of the message, such as `7d`, or its end in seconds since 1970. The default is `messages.retention`.",
        .pattern("^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$"),
        "must be a duration, such as 7d or 12h, or a number of seconds since 1970."
    ) { text in
        if let life = DurationText.parse(text) { return .after(life) }
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Double(text).map { .at(Date(timeIntervalSince1970: $0)) }
    }
    static let messageWait = SubmitOptions.prefer.described(
        as: "`wait=SECONDS`: the response comes when the message is prepared, or after this time (RFC 7240).",
        .examples("wait=10"))
}
