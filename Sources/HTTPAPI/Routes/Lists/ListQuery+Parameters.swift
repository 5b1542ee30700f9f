import Authentication
import HTTPTypes
import JSON
import NotificationModel
import WebURL

/// The routes of the lists of emitted notifications.
extension RouteTable {
    static let listRoutes: [Route] = [
        Route(
            method: .get, path: "/v1/notifications", operation: "listNotifications", scope: .read,
            parameters: [.group] + listParameters + [.content], metric: "list",
            summary: "Lists the emitted notifications of an app group.",
            outputs: [.listed, .listUnchanged], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (query, condition) = (try arguments.listQuery(), arguments.head.headerFields[.ifNoneMatch])
            let showsContent = try arguments.flag("content")
            return { handlers, _ throws(Problem) in
                .response(try await handlers.list(query, showsContent: showsContent, unless: condition))
            }
        },
        Route(
            method: .get, path: "/v1/threads", operation: "listThreads", scope: .read,
            parameters: [.group] + listParameters, metric: "list",
            summary: "Lists the threads of the emitted notifications, each with its newest notification.",
            outputs: [.listedThreads, .listUnchanged], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (query, condition) = (try arguments.listQuery(), arguments.head.headerFields[.ifNoneMatch])
            return { handlers, _ throws(Problem) in
                .response(try await handlers.threads(query, unless: condition))
            }
        },
        Route(
            method: .get, path: "/v1/recipients/{id}/summary", operation: "summarizeRecipient", scope: .read,
            parameters: [.summarized, .group, .from, .to], metric: "list",
            summary: "Counts the notifications of a receiver by outcome and reason.",
            outputs: [.summary], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (name, query) = (try arguments.recipient(), try arguments.listQuery())
            return { handlers, _ throws(Problem) in .response(try await handlers.summary(of: name, query)) }
        },
        Route(
            method: .get, path: "/v1/recipients/{id}/export", operation: "exportRecipient", scope: .admin,
            parameters: [.summarized, .group], metric: "export",
            summary: "Returns everything that is stored about a receiver, in lines.", outputs: [.export],
            problems: [.full, .oldHTTP]
        ) { arguments throws(Problem) in
            let (name, caller) = (try arguments.recipient(), arguments.caller)
            return { handlers, _ throws(Problem) in try await handlers.export(name, for: caller) }
        },
    ]

    private static let listParameters: [Route.Parameter] = [
        .listedID, .listedProviderID, .recipientFilter, .label, .thread, .provider, .listedOutcome, .reason, .missing,
        .from, .to,
        .order, .limit, .cursor,
    ]
}

extension Route.Parameter {
    fileprivate static let summarized = Route.Parameter(
        name: "id", place: .path, meaning: "A name of the receiver, percent-encoded.", schema: name)
    fileprivate static let listedID = filter("id", "Only notifications of the request with this id.")
    fileprivate static let listedProviderID = filter(
        "providerId", "Only notifications of the message with this id of the provider.")
    fileprivate static let recipientFilter = filter(
        "recipient", "Only notifications to this receiver, by one of its names.", name)
    fileprivate static let label = filter("label", "Only notifications with this label.")
    fileprivate static let thread = filter("thread", "Only notifications of this thread.")
    fileprivate static let provider = filter("provider", "Only notifications that this dialect has read.")
    fileprivate static let listedOutcome = filter(
        "outcome", "Only notifications with one of these outcomes, with commas between them.",
        ["type": "string", "examples": ["fallback", "partial,fallback"]])
    fileprivate static let reason = filter(
        "reason", "Only notifications with this reason.",
        ["type": "string", "enum": .array(DegradationReason.allCases.map { .string($0.rawValue) })])
    fileprivate static let missing = filter(
        "missing", "Only shown notifications that have no receipt of this event.",
        ["type": "string", "enum": .array(Receipt.Event.allCases.map { .string($0.rawValue) })])
    fileprivate static let from = filter("from", "Only notifications that were emitted at this time or later.", time)
    fileprivate static let to = filter("to", "Only notifications that were emitted before this time.", time)
    fileprivate static let order = filter(
        "order", "Whether the newest or the oldest notification is the first one.",
        ["type": "string", "enum": ["newest", "oldest"], "default": "newest"])
    static let limit = filter(
        "limit", "The largest number of elements of the page.",
        [
            "type": "integer", "minimum": 1, "maximum": .number(JSONNumber(RouteArguments.mostListed)),
            "default": .number(JSONNumber(ListQuery(group: .default).limit)),
        ])
    static let cursor = filter("cursor", "The `next` of the page before.")
    fileprivate static let content = filter(
        "content", "Whether each notification has its result, or null if the result is no longer kept.",
        ["type": "string", "enum": ["true", "false"], "default": "false"])

    private static let name: JSONValue = [
        "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(ReceiverName.mostScalars)),
    ]
    private static let time: JSONValue = ["type": "string", "examples": ["2026-11-27T08:00:00Z"]]

    private static func filter(
        _ name: String, _ meaning: String, _ schema: JSONValue = ["type": "string"]
    ) -> Route.Parameter {
        Route.Parameter(name: name, place: .query, meaning: meaning, schema: schema)
    }
}

extension Route.Output {
    fileprivate static let listed = page(
        "A page of the list. `next` is the cursor of the next page, or null at the end of the list.",
        ["notifications": ["type": "array", "items": .component("Listed")]])
    fileprivate static let listedThreads = page(
        "A page of the threads.",
        [
            "threads": [
                "type": "array",
                "items": .object(of: [
                    "thread": ["type": "string"], "count": .component("Count"), "unread": .component("Count"),
                    "notification": .component("Listed"),
                ]),
            ]
        ])
    fileprivate static let listUnchanged = Route.Output(
        status: 304, meaning: "`If-None-Match` names the page.")
    fileprivate static let export = Route.Output(
        status: 200,
        meaning:
            "A line with `recipient`, one for each `notification` and named `message`, and a `summary` at the end.",
        type: "application/x-ndjson", schema: ["type": "string"])
    fileprivate static let summary = Route.Output(
        status: 200, meaning: "The counts, the largest one first.", type: "application/json",
        schema: .object(of: [
            "from": ["type": "string"], "count": .component("Count"), "isComplete": ["type": "boolean"],
            "outcomes": [
                "type": "array",
                "items": .object(of: [
                    "outcome": ["type": "string"], "reason": ["type": ["string", "null"]],
                    "count": .component("Count"),
                ]),
            ],
        ]))

    private static func page(_ meaning: String, _ members: JSONObject) -> Route.Output {
        var members = members
        members.append("next", ["type": ["string", "null"]])
        return Route.Output(status: 200, meaning: meaning, type: "application/json", schema: .object(of: members))
    }
}

extension OpenAPIDocument {
    /// The schema of a listed notification. It has a content only if the caller asks for it.
    static let listed: JSONValue = [
        "type": "object", "required": ["id", "appGroup", "emittedAt", "outcome"],
        "properties": [
            "id": ["type": "string"], "appGroup": ["type": "string"], "emittedAt": ["type": "string"],
            "outcome": ["type": "string"], "reason": text, "provider": text, "providerId": text, "recipient": text,
            "thread": text, "labels": ["type": "array", "items": ["type": "string"]],
            "receipts": [
                "type": "object", "additionalProperties": false,
                "properties": .object(
                    JSONObject(Receipt.Event.allCases.map { ($0.rawValue, ["type": "string"] as JSONValue) })),
            ],
            "content": ["anyOf": [.component("Result"), ["type": "null"]]],
        ],
    ]

    private static let text: JSONValue = ["type": ["string", "null"]]
}

extension RouteArguments {
    /// The largest number of elements of a page.
    static let mostListed = 200

    /// Reads the conditions of a list from the query. The group is the one that the caller may use.
    func listQuery() throws(Problem) -> ListQuery {
        var query = ListQuery(group: try groupOrDefault())
        query.recipients = try recipientFilter().map { [$0] }
        query.id = try target.parameter("id")
        query.providerID = try target.parameter("providerId")
        query.thread = try target.parameter("thread")
        query.label = try target.parameter("label")
        query.provider = try target.parameter("provider")
        query.outcomes = try outcomes()
        if let text = try target.parameter("reason") {
            guard let reason = DegradationReason(rawValue: text) else {
                let names = DegradationReason.allCases.map(\.rawValue).joined(separator: ", ")
                throw .parameter("reason", "must be one of \(names).")
            }
            query.reason = reason
        }
        if let text = try target.parameter("missing") {
            guard let event = Receipt.Event(rawValue: text) else {
                let names = Receipt.Event.allCases.map(\.rawValue).joined(separator: ", ")
                throw .parameter("missing", "must be one of \(names).")
            }
            query.missing = event
        }
        query.from = try time("from")
        query.to = try time("to")
        if let text = try target.parameter("order") {
            guard let order = ListQuery.Order(rawValue: text) else {
                throw .parameter("order", "must be newest or oldest.")
            }
            query.order = order
        }
        query.limit = try limit() ?? query.limit
        query.after = try cursor()
        return query
    }

    /// Reads the largest number of elements of a page; `nil` if the query has no such parameter.
    func limit() throws(Problem) -> Int? {
        guard let text = try target.parameter("limit") else { return nil }
        guard text.utf8.allSatisfy(\.isASCIIDigit), let limit = Int(text), (1...Self.mostListed).contains(limit)
        else { throw .parameter("limit", "must be a number from 1 to \(Self.mostListed).") }
        return limit
    }
}
