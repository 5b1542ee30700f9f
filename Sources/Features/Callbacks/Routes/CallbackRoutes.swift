import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of callbacks: the messages to callback targets, and the targets.
struct CallbackRoutes: Sendable {
    let callbacks: any CallbackIntake

    var routes: [Route] { messages + targets }

    private var messages: [Route] {
        [
            Route(
                method: .get, path: "/v1/callbacks", operation: "listCallbacks", scope: .admin,
                parameters: .of(Self.target, Self.state, Self.notification, .limit, .cursor), metric: "callbacks",
                summary: "Lists the messages to callback targets, the newest first.", outputs: [.callbacks],
                components: ["Callback": Self.schema], problems: [.storageFailed], handler: list),
            Route(
                method: .get, path: "/v1/callbacks/{id}", operation: "getCallback", scope: .admin,
                parameters: .of(Self.callbackID), metric: "callbacks", summary: "Returns a message with its body.",
                outputs: [.callback], problems: [.storageFailed]
            ) { arguments throws(Problem) in
                let (id, groups) = (try arguments[Self.callbackID], arguments.caller.groups)
                return { _ throws(Problem) in
                    .json(.object(try await callback(id, for: groups).members(withBody: true)))
                }
            },
            Route(
                method: .post, path: "/v1/callbacks/{id}/resend", operation: "resendCallback", scope: .admin,
                parameters: .of(Self.callbackID), metric: "callbacks",
                summary: "Sends a message again, with its id and a new schedule.", outputs: [.resent],
                problems: [.storageFailed], handler: resend),
        ]
    }

    private var targets: [Route] {
        [
            Route(
                method: .get, path: "/v1/callback-targets", operation: "listCallbackTargets", scope: .admin,
                metric: "callbacks", summary: "Returns the state of each callback target.", outputs: [.targets],
                problems: [.storageFailed]
            ) { arguments throws(Problem) in
                try Self.checkAllTargets(arguments)
                return { _ throws(Problem) in
                    guard let targets = await callbacks.targets() else { throw .unreadableCallbacks }
                    return .json(["targets": .array(targets.map(\.json))])
                }
            },
            Route(
                method: .post, path: "/v1/callback-targets/{name}/recover", operation: "recoverCallbackTarget",
                scope: .admin, parameters: .of(Self.targetName, Self.since), metric: "callbacks",
                summary: "Enables a target, and sends its failed messages again.", outputs: [.recovered],
                problems: [.storageFailed]
            ) { arguments throws(Problem) in
                try Self.checkAllTargets(arguments)
                // Without a date, the target is only enabled.
                let (name, since) = (try arguments[Self.targetName], try arguments[Self.since])
                return { _ throws(Problem) in try Self.answer(await callbacks.recover(name, since: since), name) }
            },
            Route(
                method: .post, path: "/v1/callback-targets/{name}/disable", operation: "disableCallbackTarget",
                scope: .admin, parameters: .of(Self.targetName), metric: "callbacks",
                summary: "Stops the messages to a target until it is recovered.", outputs: [.recovered],
                problems: [.storageFailed]
            ) { arguments throws(Problem) in
                try Self.checkAllTargets(arguments)
                let name = try arguments[Self.targetName]
                return { _ throws(Problem) in try Self.answer(await callbacks.disable(name), name) }
            },
        ]
    }

    /// Checks that the caller has the right to all groups, because a target may get messages of all groups.
    private static func checkAllTargets(_ arguments: RouteArguments) throws(Problem) {
        try arguments.checkAllGroups("A target gets messages of")
    }

    private static func answer(_ recovery: CallbackRecovery, _ name: String) throws(Problem) -> Route.Answer {
        switch recovery {
        case .done(let count): return .json(["target": .string(name), "again": .number(count)])
        case .unknownTarget: throw Problem(.notFound, "callbacks.targets has no target of this name.")
        case .failed: throw Problem(.storageFailed, "The change was not stored. Try again later.")
        }
    }

    private func list(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        var query = CallbackQuery()
        query.groups = arguments.caller.groups.listed
        query.target = try arguments[Self.target]
        query.state = try arguments[Self.state]
        query.notification = try arguments[Self.notification]
        query.limit = try arguments[.limit]
        query.before = try arguments[.cursor]
        return { [query] _ throws(Problem) in
            guard let page = await callbacks.callbacks(query) else { throw .unreadableCallbacks }
            return .json([
                "callbacks": .array(page.elements.map { .object($0.members(withBody: false)) }),
                "next": .text(page.next.map(ListCursor.text)),
            ])
        }
    }

    private func callback(_ id: String, for groups: GroupPermission) async throws(Problem) -> Callback {
        guard id.utf8.count <= 64 else { throw .unknownCallback }
        guard let found = await callbacks.callback(id) else { throw .unreadableCallbacks }
        guard let found, groups.contains(found.key.group) else { throw .unknownCallback }
        return found
    }

    private func resend(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let (id, groups) = (try arguments[Self.callbackID], arguments.caller.groups)
        return { _ throws(Problem) in
            _ = try await callback(id, for: groups)
            switch await callbacks.resend(id) {
            case true?: return .response(.json(["id": .string(id)], status: .accepted))
            case false?: throw .unknownCallback
            case nil: throw Problem(.storageFailed, "The change was not stored. Try again later.")
            }
        }
    }
}

extension Problem {
    fileprivate static let unknownCallback = Problem(.notFound, "There is no callback with this id.")
    fileprivate static let unreadableCallbacks = Problem(
        .storageFailed, "The callbacks could not be read. Try again later.")
}

extension CallbackRoutes {
    private static let callbackID = Parameter<String>(path: "id", "The `webhook-id` of the message.")
    private static let targetName = Parameter<String>(path: "name", "The name of the target in `callbacks.targets`.")
    private static let target = Parameter<String?>("target", "Only messages to this target.")
    private static let state = Parameter<Callback.State?>(choice: "state", "Only messages in this state.")
    private static let notification = Parameter<RequestID?>(
        "notification", "Only messages about the request with this id.", .anyText, "is not the id of a request.",
        parse: { RequestID($0) })
    private static let since = Parameter.time(
        "since",
        "Failed messages that were created since this time are sent again. The default is to send no failed message again."
    )
}

extension Route.Output {
    fileprivate static let callbacks = json(
        "A page of the list. `next` is the cursor of the next page, or null at the end.",
        .object(of: ["callbacks": ["type": "array", "items": .component("Callback")], "next": .anyTextOrNull]))
    fileprivate static let callback = json("The message, with its `body`.", .component("Callback"))
    fileprivate static let resent = json(status: 202, "The message is pending again.", .object(of: ["id": .anyText]))
    fileprivate static let targets = json(
        "The targets in the order of the configuration.",
        .object(of: [
            "targets": [
                "type": "array",
                "items": .object(of: [
                    "name": .anyText, "url": .anyText,
                    "state": ["type": "string", "enum": ["active", "resting", "disabled"]], "reason": .anyTextOrNull,
                    "pending": .component("Count"), "oldest": .anyTextOrNull, "failingSince": .anyTextOrNull,
                    "disabledAt": .anyTextOrNull, "restsUntil": .anyTextOrNull,
                    "publicKeys": ["type": "array", "items": .anyText],
                ]),
            ]
        ]))
    fileprivate static let recovered = json(
        "The change is durable, and this number of messages is pending `again`.",
        .object(of: ["target": .anyText, "again": .component("Count")]))
}

extension CallbackRoutes {
    /// The schema of a message to a callback target. It has a body only if it is read alone.
    fileprivate static let schema: JSONValue = {
        let (text, textOrNull) = (JSONValue.anyText, JSONValue.anyTextOrNull)
        return [
            "type": "object", "required": ["id", "target", "type", "notification", "appGroup", "state", "attempts"],
            "properties": [
                "id": text, "target": text, "type": text, "notification": text, "appGroup": text,
                "state": ["type": "string", "enum": .names(of: Callback.State.self)], "attempts": .component("Count"),
                "bytes": .component("Count"), "createdAt": text, "dueAt": textOrNull, "attemptedAt": textOrNull,
                "status": ["type": ["integer", "null"]], "problem": textOrNull, "body": ["type": ["object", "null"]],
            ],
        ]
    }()
}

extension Callback {
    func members(withBody: Bool) -> JSONObject {
        var members: JSONObject = [
            "id": .string(id), "target": .string(target), "type": .string(type),
            "notification": .string(key.id.description), "appGroup": .string(key.group.description),
            "state": .string(state.rawValue), "attempts": .number(attempts), "bytes": .number(byteCount),
            "createdAt": .timestamp(createdAt), "dueAt": dueAt.map { .timestamp($0) } ?? .null,
            "attemptedAt": attemptedAt.map { .timestamp($0) } ?? .null, "status": status.map { .number($0) } ?? .null,
            "problem": .text(problem),
        ]
        if withBody { members.append("body", (try? JSONParser.value(of: body)) ?? .null) }
        return members
    }
}

extension CallbackTargetReport {
    var json: JSONValue {
        let state = record.disabledAt != nil ? "disabled" : coolsDownUntil != nil ? "resting" : "active"
        return [
            "name": .string(record.name), "url": .string(url), "state": .string(state), "reason": .text(record.reason),
            "pending": .number(backlog.pending), "oldest": backlog.oldest.map { .timestamp($0) } ?? .null,
            "failingSince": record.failingSince.map { .timestamp($0) } ?? .null,
            "disabledAt": record.disabledAt.map { .timestamp($0) } ?? .null,
            "restsUntil": coolsDownUntil.map { .timestamp($0) } ?? .null,
            "publicKeys": .array(publicKeys.map { .string($0) }),
        ]
    }
}
