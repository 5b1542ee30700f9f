import Authentication
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel
import Primitives

/// The routes of callbacks, with their arguments and their handlers.
extension RouteTable {
    static let callbackRoutes: [Route] = [
        Route(
            method: .get, path: "/v1/callbacks", operation: "listCallbacks", scope: .admin,
            parameters: [.callbackTarget, .callbackState, .callbackNotification, .limit, .cursor], metric: "callbacks",
            summary: "Lists the messages to callback targets, the newest first.", outputs: [.callbacks],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let query = try arguments.callbackQuery()
            return { handlers, _ throws(Problem) in .response(try await handlers.callbacks(query)) }
        },
        Route(
            method: .get, path: "/v1/callbacks/{id}", operation: "getCallback", scope: .admin,
            parameters: [.callbackID], metric: "callbacks", summary: "Returns a message with its body.",
            outputs: [.callback], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (id, groups) = (arguments.id, arguments.caller.groups)
            return { handlers, _ throws(Problem) in
                let callback = try await handlers.callback(id, for: groups)
                return .response(.json(.object(callback.members(withBody: true))))
            }
        },
        Route(
            method: .post, path: "/v1/callbacks/{id}/resend", operation: "resendCallback", scope: .admin,
            parameters: [.callbackID], metric: "callbacks",
            summary: "Sends a message again, with its id and a new schedule.", outputs: [.callbackResent],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let (id, groups) = (arguments.id, arguments.caller.groups)
            return { handlers, _ throws(Problem) in .response(try await handlers.resend(id, for: groups)) }
        },
        Route(
            method: .get, path: "/v1/callback-targets", operation: "listCallbackTargets", scope: .admin,
            metric: "callbacks", summary: "Returns the state of each callback target.", outputs: [.callbackTargets],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            try arguments.checkCallbackTargets()
            return { handlers, _ throws(Problem) in .response(try await handlers.callbackTargets()) }
        },
        Route(
            method: .post, path: "/v1/callback-targets/{name}/recover", operation: "recoverCallbackTarget",
            scope: .admin, parameters: [.callbackTargetName, .since], metric: "callbacks",
            summary: "Enables a target, and sends its failed messages again.", outputs: [.callbackRecovered],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            // Without a date, the target is only enabled.
            let (name, since) = (try arguments.callbackTargetName(), try arguments.time("since"))
            return { handlers, _ throws(Problem) in
                .response(try Self.answer(try await handlers.calledBack().recover(name, since: since), name))
            }
        },
        Route(
            method: .post, path: "/v1/callback-targets/{name}/disable", operation: "disableCallbackTarget",
            scope: .admin, parameters: [.callbackTargetName], metric: "callbacks",
            summary: "Stops the messages to a target until it is recovered.", outputs: [.callbackRecovered],
            problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let name = try arguments.callbackTargetName()
            return { handlers, _ throws(Problem) in
                .response(try Self.answer(try await handlers.calledBack().disable(name), name))
            }
        },
    ]

    private static func answer(_ recovery: CallbackRecovery, _ name: String) throws(Problem) -> Response {
        switch recovery {
        case .done(let count): return .json(["target": .string(name), "again": .number(count)])
        case .unknownTarget: throw Problem(.notFound, "callbacks.targets has no target of this name.")
        case .failed: throw Problem(.storageFailed, "The change was not stored. Try again later.")
        }
    }
}

extension RouteArguments {
    fileprivate func callbackQuery() throws(Problem) -> CallbackQuery {
        var query = CallbackQuery()
        query.groups = caller.groups.listed
        query.target = try target.parameter("target")
        if let text = try target.parameter("state") {
            guard let state = Callback.State(rawValue: text) else {
                let names = Callback.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw .parameter("state", "must be one of \(names).")
            }
            query.state = state
        }
        if let text = try target.parameter("notification") {
            guard let id = RequestID(text) else { throw .parameter("notification", "is not the id of a request.") }
            query.notification = id
        }
        query.limit = try limit() ?? query.limit
        query.before = try cursor()
        return query
    }

    /// Checks that the caller has the right to all groups, because a target may get messages of all groups.
    fileprivate func checkCallbackTargets() throws(Problem) { try checkAllGroups("A target gets messages of") }

    fileprivate func callbackTargetName() throws(Problem) -> String {
        try checkCallbackTargets()
        return segment("{name}")
    }
}

extension RouteHandlers {
    fileprivate func calledBack() throws(Problem) -> any CallbackIntake {
        guard let callbacks else { throw Problem(.notFound, "This server sends no callbacks.") }
        return callbacks
    }

    fileprivate func callbacks(_ query: CallbackQuery) async throws(Problem) -> Response {
        guard let page = try await calledBack().callbacks(query) else { throw Self.unreadableCallbacks }
        return .json([
            "callbacks": .array(page.elements.map { .object($0.members(withBody: false)) }),
            "next": page.next.map { .string(ListCursor.text(of: $0)) } ?? .null,
        ])
    }

    fileprivate func callback(_ id: String, for groups: GroupPermission) async throws(Problem) -> Callback {
        guard id.utf8.count <= 64, let found = try await calledBack().callback(id) else {
            throw id.utf8.count <= 64 ? Self.unreadableCallbacks : Self.unknownCallback
        }
        guard let found, groups.contains(found.key.group) else { throw Self.unknownCallback }
        return found
    }

    fileprivate func resend(_ id: String, for groups: GroupPermission) async throws(Problem) -> Response {
        _ = try await callback(id, for: groups)
        switch try await calledBack().resend(id) {
        case true?: return .json(["id": .string(id)], status: .accepted)
        case false?: throw Self.unknownCallback
        case nil: throw Problem(.storageFailed, "The change was not stored. Try again later.")
        }
    }

    fileprivate func callbackTargets() async throws(Problem) -> Response {
        guard let targets = try await calledBack().targets() else { throw Self.unreadableCallbacks }
        return .json(["targets": .array(targets.map(\.json))])
    }

    private static var unknownCallback: Problem { Problem(.notFound, "There is no callback with this id.") }

    private static var unreadableCallbacks: Problem {
        Problem(.storageFailed, "The callbacks could not be read. Try again later.")
    }
}

extension Callback {
    fileprivate func members(withBody: Bool) -> JSONObject {
        var members: JSONObject = [
            "id": .string(id), "target": .string(target), "type": .string(type),
            "notification": .string(key.id.description), "appGroup": .string(key.group.description),
            "state": .string(state.rawValue), "attempts": .number(attempts), "bytes": .number(byteCount),
            "createdAt": .timestamp(createdAt), "dueAt": dueAt.map { .timestamp($0) } ?? .null,
            "attemptedAt": attemptedAt.map { .timestamp($0) } ?? .null,
            "status": status.map { .number($0) } ?? .null, "problem": .text(problem),
        ]
        if withBody { members.append("body", (try? JSONParser.value(of: body)) ?? .null) }
        return members
    }
}

extension CallbackTargetReport {
    fileprivate var json: JSONValue {
        let state = record.disabledAt != nil ? "disabled" : restsUntil != nil ? "resting" : "active"
        return [
            "name": .string(record.name), "url": .string(url), "state": .string(state),
            "reason": .text(record.reason), "pending": .number(backlog.pending),
            "oldest": backlog.oldest.map { .timestamp($0) } ?? .null,
            "failingSince": record.failingSince.map { .timestamp($0) } ?? .null,
            "disabledAt": record.disabledAt.map { .timestamp($0) } ?? .null,
            "restsUntil": restsUntil.map { .timestamp($0) } ?? .null,
            "publicKeys": .array(publicKeys.map { .string($0) }),
        ]
    }
}

extension Route.Parameter {
    fileprivate static let callbackID = Route.Parameter(
        name: "id", place: .path, meaning: "The `webhook-id` of the message.", schema: ["type": "string"])
    fileprivate static let callbackTargetName = Route.Parameter(
        name: "name", place: .path, meaning: "The name of the target in `callbacks.targets`.",
        schema: ["type": "string"])
    fileprivate static let callbackTarget = Route.Parameter(
        name: "target", place: .query, meaning: "Only messages to this target.", schema: ["type": "string"])
    fileprivate static let callbackState = Route.Parameter(
        name: "state", place: .query, meaning: "Only messages in this state.",
        schema: ["type": "string", "enum": .array(Callback.State.allCases.map { .string($0.rawValue) })])
    fileprivate static let callbackNotification = Route.Parameter(
        name: "notification", place: .query, meaning: "Only messages about the request with this id.",
        schema: ["type": "string"])
    fileprivate static let since = Route.Parameter(
        name: "since", place: .query,
        meaning:
            "Failed messages that were created since this time are sent again. The default is to send no failed message again.",
        schema: ["type": "string", "examples": ["2026-11-27T08:00:00Z"]])
}

extension Route.Output {
    fileprivate static let callbacks = Route.Output(
        status: 200, meaning: "A page of the list. `next` is the cursor of the next page, or null at the end.",
        type: "application/json",
        schema: .object(of: [
            "callbacks": ["type": "array", "items": .component("Callback")], "next": ["type": ["string", "null"]],
        ]))
    fileprivate static let callback = Route.Output(
        status: 200, meaning: "The message, with its `body`.", type: "application/json",
        schema: .component("Callback"))
    fileprivate static let callbackResent = Route.Output(
        status: 202, meaning: "The message is pending again.", type: "application/json",
        schema: .object(of: ["id": ["type": "string"]]))
    fileprivate static let callbackTargets = Route.Output(
        status: 200, meaning: "The targets in the order of the configuration.", type: "application/json",
        schema: .object(of: [
            "targets": [
                "type": "array",
                "items": .object(of: [
                    "name": ["type": "string"], "url": ["type": "string"],
                    "state": ["type": "string", "enum": ["active", "resting", "disabled"]], "reason": textOrNull,
                    "pending": .component("Count"), "oldest": textOrNull, "failingSince": textOrNull,
                    "disabledAt": textOrNull,
                    "restsUntil": textOrNull, "publicKeys": ["type": "array", "items": ["type": "string"]],
                ]),
            ]
        ]))
    fileprivate static let callbackRecovered = Route.Output(
        status: 200, meaning: "The change is durable, and this number of messages is pending `again`.",
        type: "application/json", schema: .object(of: ["target": ["type": "string"], "again": .component("Count")]))

    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
}

extension OpenAPIDocument {
    /// The schema of a message to a callback target. It has a body only if it is read alone.
    static let callback: JSONValue = {
        let text: JSONValue = ["type": "string"]
        let textOrNull: JSONValue = ["type": ["string", "null"]]
        return [
            "type": "object", "required": ["id", "target", "type", "notification", "appGroup", "state", "attempts"],
            "properties": [
                "id": text, "target": text, "type": text, "notification": text, "appGroup": text,
                "state": ["type": "string", "enum": .array(Callback.State.allCases.map { .string($0.rawValue) })],
                "attempts": .component("Count"), "bytes": .component("Count"), "createdAt": text,
                "dueAt": textOrNull, "attemptedAt": textOrNull, "status": ["type": ["integer", "null"]],
                "problem": textOrNull, "body": ["type": ["object", "null"]],
            ],
        ]
    }()
}
