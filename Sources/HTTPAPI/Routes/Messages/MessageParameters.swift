import Authentication
import HTTPTypes
import JSON
import NotificationModel

/// The routes of named messages.
extension RouteTable {
    private static let messagePath: PathPattern = "/v1/messages/{name}"

    static let messageRoutes: [Route] = [
        Route(
            method: .get, path: messagePath, operation: "getMessage", scope: .read,
            parameters: [.messageName, .group, .messageProfile, .wait], concernsRequests: true, metric: "messages",
            summary: "Returns the prepared content of a named message.", outputs: [.result, .messagePreparing],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (key, wait) = (try arguments.message(), try arguments.wait())
            let profile = try arguments.messageProfile()
            return { handlers, input throws(Problem) in
                try await handlers.message(key, for: profile, waiting: wait, unless: input.gone)
            }
        },
        Route(
            method: .put, path: messagePath, operation: "putMessage", scope: .submit,
            parameters: [
                .messageName, .group, .messageProfiles, .messageExpiry, .messageWait, .ifMatch, .ifNoneMatch,
            ],
            body: .init(), example: .notification, concernsRequests: true, metric: "messages",
            summary: "Stores a payload under a name, and prepares it for profiles.",
            outputs: [.message, .messageCreated, .messageAccepted],
            problems: [.notJSON, .unusable, .otherVersion, .tooLarge, .full, .storageFailed]
        ) { arguments throws(Problem) in
            let options = try MessageOptions(arguments)
            return { handlers, input throws(Problem) in try await handlers.putMessage(options, consume input) }
        },
        Route(
            method: .delete, path: messagePath, operation: "deleteMessage", scope: .submit,
            parameters: [.messageName, .group, .ifMatch], concernsRequests: true, metric: "messages",
            summary: "Removes a named message, and stops to hold its files.", outputs: [.messageRemoved],
            problems: [.otherVersion, .storageFailed]
        ) { arguments throws(Problem) in
            let (key, condition) = (try arguments.message(), try arguments.condition())
            return { handlers, _ throws(Problem) in .response(try await handlers.removeMessage(key, condition)) }
        },
    ]
}

extension Route.Parameter {
    private static let profiles = MediaProfile.all.map { JSONValue.string($0.name) }

    fileprivate static let messageName = Route.Parameter(
        name: "name", place: .path, meaning: "The name of the message.",
        schema: ["type": "string", "pattern": .string("^[A-Za-z0-9_\\-:@+=][A-Za-z0-9._\\-:@+=]{0,127}$")])
    fileprivate static let messageProfile = Route.Parameter(
        name: "profile", place: .query,
        meaning: "The profile of the content. The default is the first profile of the message.",
        schema: ["type": "string", "enum": .array(profiles)])
    fileprivate static let messageProfiles = Route.Parameter(
        name: "profiles", place: .query,
        meaning:
            "The profiles for which the message is prepared, with commas between them. The default is the profile of the envelope, or of the app group.",
        schema: ["type": "string", "examples": ["ios", "ios,android"]])
    fileprivate static let messageExpiry = Route.Parameter(
        name: "expires", place: .query,
        meaning:
            "The life of the message, such as `7d`, or its end in seconds since 1970. The default is `messages.retention`.",
        schema: ["type": "string", "pattern": .string("^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$")])
    fileprivate static let messageWait = Route.Parameter(
        name: "Prefer", place: .header,
        meaning: "`wait=SECONDS`: the response comes when the message is prepared, or after this time (RFC 7240).",
        schema: ["type": "string", "examples": ["wait=10"]])
}

extension Route.Output {
    private static let schema: JSONValue = .component("Message")

    fileprivate static let message = Route.Output(
        status: 200, meaning: "The message replaces another one, and is prepared.", type: "application/json",
        schema: schema)
    fileprivate static let messageCreated = Route.Output(
        status: 201, meaning: "The message is new, and is prepared.", type: "application/json", schema: schema)
    fileprivate static let messageAccepted = Route.Output(
        status: 202, meaning: "The message is durable, and is being prepared. `Location` is its path.",
        type: "application/json", schema: schema)
    fileprivate static let messagePreparing = Route.Output(
        status: 202, meaning: "The message is being prepared. `Retry-After` has the time of the next try.",
        type: "application/json", schema: schema)
    fileprivate static let messageRemoved = Route.Output(status: 204, meaning: "The message is removed.")
}

extension OpenAPIDocument {
    /// The schema of the state of a named message.
    static let message: JSONValue = {
        let state: JSONValue = ["type": "string", "enum": ["preparing", "ready", "failed"]]
        let text: JSONValue = ["type": ["string", "null"]]
        return .object(of: [
            "name": ["type": "string"], "group": ["type": "string"], "version": .component("Count"), "state": state,
            "profiles": [
                "type": "object",
                "additionalProperties": .object(of: [
                    "state": state, "outcome": text, "reason": text, "problem": text,
                ]),
            ],
            "updatedAt": ["type": "string"], "expiresAt": ["type": "string"],
        ])
    }()
}
