import Authentication
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import JSON
import NotificationModel

/// The routes of erasures.
extension RouteTable {
    static let erasureRoutes: [Route] = [
        Route(
            method: .delete, path: "/v1/notifications", operation: "eraseNotifications", scope: .admin,
            parameters: [.group] + ErasureTarget.Kind.allCases.map(Route.Parameter.erased) + [.suppress, .mentions],
            concernsRequests: true,
            metric: "erase", summary: "Erases all data about a request, a message, a thread, a receiver or a group.",
            outputs: [.erasureAccepted], problems: [.storageFailed]
        ) { arguments throws(Problem) in
            let target = try arguments.erasureTarget()
            let suppresses = try arguments.suppresses(target)
            let includesMentions = try arguments.includesMentions(target)
            return { handlers, _ throws(Problem) in
                .response(
                    try await handlers.erase(target, suppresses: suppresses, includesMentions: includesMentions))
            }
        },
        Route(
            method: .get, path: "/v1/erasures/{id}", operation: "getErasure", scope: .admin,
            parameters: [.erasureID], metric: "erase", summary: "Returns the state of an erasure.",
            outputs: [.erasureState]
        ) { arguments throws(Problem) in
            let (id, caller) = (arguments.id, arguments.caller)
            return { handlers, _ throws(Problem) in .response(try await handlers.erasure(id, for: caller)) }
        },
    ]
}

extension ErasureTarget.Kind {
    /// The name of the parameter. A whole group needs a word of its own, because each call has a group.
    fileprivate var parameter: String { self == .group ? "everything" : rawValue }
}

extension RouteArguments {
    /// Reads the target of an erasure: exactly one name, or everything.
    fileprivate func erasureTarget() throws(Problem) -> ErasureTarget {
        let group = try groupOrDefault()
        var named: ErasureTarget?
        for kind in ErasureTarget.Kind.allCases {
            guard let name = try name(of: kind) else { continue }
            guard named == nil else {
                throw .parameter(kind.parameter, "cannot be beside another target: erase one target a call.")
            }
            named = ErasureTarget(group: group, kind: kind, name: name)
        }
        guard let named else {
            throw Problem(
                .badRequest,
                "Name what is erased, by one of the parameters id, providerId, thread, recipient or everything=true.")
        }
        return named
    }

    fileprivate func suppresses(_ target: ErasureTarget) throws(Problem) -> Bool {
        guard try flag("suppress") else { return false }
        guard target.kind == .recipient else {
            throw .parameter("suppress", "needs a recipient: only receivers are suppressed.")
        }
        return true
    }

    fileprivate func includesMentions(_ target: ErasureTarget) throws(Problem) -> Bool {
        guard try flag("mentions") else { return false }
        guard target.kind != .group else {
            throw .parameter("mentions", "needs a name: a whole group is erased with all mentions.")
        }
        return true
    }

    private func name(of kind: ErasureTarget.Kind) throws(Problem) -> String? {
        guard let text = try target.parameter(kind.parameter) else { return nil }
        switch kind {
        case .id:
            guard RequestID(text) != nil else { throw .parameter(kind.parameter, "is not the id of a request.") }
            return text
        case .recipient:
            guard let name = ReceiverName.parse(text) else {
                throw .parameter(kind.parameter, "must have 1 to \(ReceiverName.mostScalars) characters.")
            }
            return name
        case .providerID, .thread:
            guard !text.isEmpty, text.utf8.count <= 4_096 else {
                throw .parameter(kind.parameter, "must have 1 to 4096 bytes.")
            }
            return text
        case .group:
            guard text == "true" else { throw .parameter(kind.parameter, "must be true.") }
            return ""
        }
    }
}

extension RouteHandlers {
    fileprivate func erase(
        _ target: ErasureTarget, suppresses: Bool, includesMentions: Bool
    ) async throws(Problem) -> Response {
        let erasure = try await erasures().erase(
            target, suppresses: suppresses, includesMentions: includesMentions)
        guard let erasure else {
            throw Problem(.storageFailed, "The erasure was not stored. Try again later.")
        }
        var response = Response.json(erasure.json, status: .accepted)
        response.headers[.location] = "/v1/erasures/\(erasure.id)"
        return response
    }

    fileprivate func erasure(_ id: String, for caller: Caller) async throws(Problem) -> Response {
        guard id.utf8.count <= 64, let erasure = try await erasures().erasure(id),
            caller.groups.contains(erasure.target.group)
        else { throw Problem(.notFound, "There is no erasure with this id.") }
        return .json(erasure.json)
    }

    private func erasures() throws(Problem) -> any ErasureIntake {
        guard let erasing else { throw Problem(.notFound, "This server erases nothing.") }
        return erasing
    }
}

extension ErasureCounts {
    /// The counts of things that are removed.
    fileprivate static let removed = members.filter { $0.name != "mentions" }
}

extension Erasure {
    /// The record without the name of its target, which may be a name of a person.
    var json: JSONValue {
        let style = Date.ISO8601FormatStyle()
        let counts = ErasureCounts.removed.map {
            ($0.name, JSONValue.number(JSONNumber(self.counts[keyPath: $0.path])))
        }
        let notSearched = ["base64", "compressed"] + (hasShortNames ? ["short-names"] : [])
        return [
            "id": .string(id), "appGroup": .string(target.group.description), "by": .string(target.kind.rawValue),
            "suppress": .bool(suppresses), "state": .string(state.rawValue),
            "requestedAt": .string(requestedAt.formatted(style)),
            "endedAt": endedAt.map { .string($0.formatted(style)) } ?? .null, "erased": .object(JSONObject(counts)),
            "mentions": .number(JSONNumber(self.counts.mentions)),
            "notSearched": .array(notSearched.map { .string($0) }),
        ]
    }
}

extension Route.Parameter {
    fileprivate static let erasureID = Route.Parameter(
        name: "id", place: .path, meaning: "The id of the erasure.", schema: ["type": "string"])

    fileprivate static let suppress = Route.Parameter(
        name: "suppress", place: .query, meaning: "Whether later requests to the erased receiver are refused.",
        schema: ["type": "string", "enum": ["true", "false"], "default": "false"])

    fileprivate static let mentions = Route.Parameter(
        name: "mentions", place: .query,
        meaning: "Whether requests whose texts only mention the name are removed, too.",
        schema: ["type": "string", "enum": ["true", "false"], "default": "false"])

    fileprivate static func erased(_ kind: ErasureTarget.Kind) -> Route.Parameter {
        let meaning =
            switch kind {
            case .id: "The id of the request to erase."
            case .providerID: "The provider's id of the message to erase."
            case .thread: "The thread to erase."
            case .recipient: "A name of the receiver to erase."
            case .group: "`true`: the whole group is erased."
            }
        let schema: JSONValue =
            kind == .group ? ["type": "string", "enum": ["true"]] : ["type": "string", "minLength": 1]
        return Route.Parameter(name: kind.parameter, place: .query, meaning: meaning, schema: schema)
    }
}

extension Route.Output {
    fileprivate static let erasureAccepted = Route.Output(
        status: 202, meaning: "The erasure is durable, and `Location` is the path of its state.",
        type: "application/json", schema: .component("Erasure"))
    fileprivate static let erasureState = Route.Output(
        status: 200, meaning: "The state of the erasure.", type: "application/json", schema: .component("Erasure"))
}

extension OpenAPIDocument {
    static let erasure: JSONValue = .object(of: [
        "id": ["type": "string"], "appGroup": ["type": "string"],
        "by": ["type": "string", "enum": .array(ErasureTarget.Kind.allCases.map { .string($0.rawValue) })],
        "suppress": ["type": "boolean"],
        "state": ["type": "string", "enum": ["running", "waiting-for-reader", "done"]],
        "requestedAt": ["type": "string"], "endedAt": ["type": ["string", "null"]],
        "erased": .object(
            of: JSONObject(ErasureCounts.removed.map { ($0.name, .component("Count")) })),
        "mentions": .component("Count"),
        "notSearched": [
            "type": "array", "items": ["type": "string", "enum": ["base64", "compressed", "short-names"]],
        ],
    ])
}
