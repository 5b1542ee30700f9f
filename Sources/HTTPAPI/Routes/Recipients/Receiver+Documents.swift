import Authentication
import HTTPTypes
import JSON
import NotificationModel

/// The routes of stored receivers.
extension RouteTable {
    private static let recipientPath: PathPattern = "/v1/recipients/{id}"

    static let recipientRoutes: [Route] = [
        Route(
            method: .get, path: recipientPath, operation: "getRecipient", scope: .recipients,
            parameters: [.recipient, .group], metric: "recipients",
            summary: "Returns a receiver by one of its names.", outputs: [.recipient]
        ) { arguments throws(Problem) in
            let name = try arguments.recipient()
            return { handlers, _ throws(Problem) in .response(try await handlers.recipient(name)) }
        },
        Route(
            method: .put, path: recipientPath, operation: "putRecipient", scope: .recipients,
            parameters: [.recipient, .group, .ifMatch, .ifNoneMatch], body: .recipient, example: .recipient,
            metric: "recipients", summary: "Creates a receiver, or replaces its permissions, names and labels.",
            outputs: [.recipient, .recipientCreated], problems: recipientProblems
        ) { arguments throws(Problem) in
            let (name, condition) = (try arguments.recipient(), try arguments.condition())
            return { handlers, input throws(Problem) in
                .response(try await handlers.putRecipient(name, input.body, condition))
            }
        },
        Route(
            method: .patch, path: recipientPath, operation: "patchRecipient", scope: .recipients,
            parameters: [.recipient, .group, .ifMatch, .ifNoneMatch], body: .recipient, example: .recipientPatch,
            metric: "recipients", summary: "Changes members of a receiver by a merge patch (RFC 7396).",
            outputs: [.recipient, .recipientCreated], problems: recipientProblems
        ) { arguments throws(Problem) in
            let (name, condition) = (try arguments.recipient(), try arguments.condition())
            return { handlers, input throws(Problem) in
                .response(try await handlers.patchRecipient(name, input.body, condition))
            }
        },
        Route(
            method: .delete, path: recipientPath, operation: "deleteRecipient", scope: .recipients,
            parameters: [.recipient, .group, .ifMatch], metric: "recipients",
            summary: "Removes a receiver with all of its names.", outputs: [.recipientRemoved],
            problems: [.otherVersion, .storageFailed]
        ) { arguments throws(Problem) in
            let (name, condition) = (try arguments.recipient(), try arguments.condition())
            return { handlers, _ throws(Problem) in .response(try await handlers.removeRecipient(name, condition)) }
        },
        Route(
            method: .patch, path: "/v1/recipients", operation: "patchRecipients", scope: .recipients,
            parameters: [.group], body: .init(isStreamed: true), example: .recipientLines, metric: "recipients",
            summary: "Changes a receiver in each line, and writes a line for each change.",
            outputs: [.recipientLines], problems: [.full, .oldHTTP]
        ) { arguments throws(Problem) in
            let (group, caller) = (try arguments.group(), arguments.caller)
            return { handlers, input throws(Problem) in
                try handlers.patchRecipients(consume input, in: group, for: caller)
            }
        },
    ]

    private static let recipientProblems: [Problem.Kind] = [
        .notJSON, .unusableReceiver, .nameInUse, .otherVersion, .tooLarge, .full, .storageFailed,
    ]
}

extension Route.BodyRule {
    /// The rule for the document of one receiver. A document with all names and labels has less than 64 KiB.
    fileprivate static let recipient = Route.BodyRule(mostBytes: ChangeLimits.lineBytes)
}

extension Route.Parameter {
    fileprivate static let recipient = Route.Parameter(
        name: "id", place: .path, meaning: "A name of the receiver, percent-encoded.",
        schema: ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(ReceiverName.mostScalars))])
    static let ifMatch = Route.Parameter(
        name: "If-Match", place: .header, meaning: "The `ETag` of the version that is changed, or `*` for any.",
        schema: ["type": "string", "examples": ["\"17\"", "*"]])
    static let ifNoneMatch = Route.Parameter(
        name: "If-None-Match", place: .header, meaning: "`*`: the name must be new.",
        schema: ["type": "string", "enum": ["*"]])
}

extension Route.Output {
    private static let schema: JSONValue = .component("Recipient")

    fileprivate static let recipient = Route.Output(
        status: 200, meaning: "The receiver. `ETag` has its version.", type: "application/json", schema: schema)
    fileprivate static let recipientCreated = Route.Output(
        status: 201, meaning: "The receiver is new.", type: "application/json", schema: schema)
    fileprivate static let recipientRemoved = Route.Output(
        status: 204, meaning: "The receiver and its names are removed.")
    fileprivate static let recipientLines = Route.Output(
        status: 200, meaning: "One line of JSON for each line of the body, in its order, and a summary.",
        type: "application/x-ndjson", schema: ["type": "string"])
}

extension Route.BodyExample {
    private static let schema: JSONValue = [
        "type": "object", "description": "The members that docs/use/recipients.md lists.",
    ]
    fileprivate static let recipient = Route.BodyExample(
        type: "application/json", schema: schema,
        value: ["permissions": ["download": false], "locale": "de-AT", "names": ["anna@example.com"]])
    fileprivate static let recipientPatch = Route.BodyExample(
        type: "application/merge-patch+json", schema: schema, value: ["permissions": ["service": false, "sound": nil]])
    fileprivate static let recipientLines = Route.BodyExample(
        type: "application/x-ndjson", schema: ["type": "string"],
        value: "{\"id\":\"anna\",\"permissions\":{\"service\":false}}\n")
}

extension OpenAPIDocument {
    /// The schema of a receiver in responses.
    static let recipient: JSONValue = .object(of: [
        "id": ["type": "string"], "group": ["type": "string"],
        "hash": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
        "permissions": [
            "type": "object", "additionalProperties": false,
            "properties": .object(
                JSONObject(Permission.allCases.map { ($0.rawValue, ["type": "boolean"] as JSONValue) })),
        ],
        "locale": ["type": ["string", "null"]], "names": ["type": "array", "items": ["type": "string"]],
        "labels": ["type": "array", "items": ["type": "string"]],
        "dead": [
            "type": "array",
            "items": .object(of: [
                "name": ["type": "string"], "since": ["type": "string"], "replacement": ["type": ["string", "null"]],
            ]),
        ],
        "version": .component("Count"), "updatedAt": ["type": "string"],
    ])
}
