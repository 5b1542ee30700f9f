import Authentication
import Base
import FoundationEssentials
import HTTPAPI
import HTTPTypes
import HummingbirdCore
import NotificationModel

/// The routes of erasures.
struct ErasureRoutes: Sendable {
    let erasures: any ErasureIntake

    var routes: [Route] {
        [
            Route(
                method: .delete, path: "/v1/notifications", operation: "eraseNotifications", scope: .admin,
                parameters: .of(.group) + ErasureTarget.parameters + .of(Self.suppress, Self.mentions),
                concernsRequests: true, metric: "erase",
                summary: "Erases all data about a request, a message, a thread, a receiver or a group.",
                outputs: [.accepted], components: ["Erasure": Self.schema], problems: [.storageFailed], handler: erase),
            Route(
                method: .get, path: "/v1/erasures/{id}", operation: "getErasure", scope: .admin,
                parameters: .of(Self.erasureID), metric: "erase", summary: "Returns the state of an erasure.",
                outputs: [.json("The state of the erasure.", .component("Erasure"))]
            ) { arguments throws(Problem) in
                let (id, groups) = (try arguments[Self.erasureID], arguments.caller.groups)
                return { _ throws(Problem) in
                    guard id.utf8.count <= 64, let erasure = await erasures.erasure(id),
                        groups.contains(erasure.target.group)
                    else { throw Problem(.notFound, "There is no erasure with this id.") }
                    return .json(erasure.json)
                }
            },
        ]
    }

    private func erase(_ arguments: RouteArguments) throws(Problem) -> Route.Handler {
        let target = try ErasureTarget(arguments)
        let suppresses = try arguments[Self.suppress]
        guard !suppresses || target.kind == .recipient else {
            throw .parameter("suppress", "needs a recipient: only receivers are suppressed.")
        }
        let includesMentions = try arguments[Self.mentions]
        guard !includesMentions || target.kind != .group else {
            throw .parameter("mentions", "needs a name: a whole group is erased with all mentions.")
        }
        return { _ throws(Problem) in
            let erasure = await erasures.erase(target, suppresses: suppresses, includesMentions: includesMentions)
            guard let erasure else { throw Problem(.storageFailed, "The erasure was not stored. Try again later.") }
            var response = Response.json(erasure.json, status: .accepted)
            response.headers[.location] = "/v1/erasures/\(erasure.id)"
            return .response(response)
        }
    }
}

extension ErasureTarget {
    fileprivate static let parameters: [ParameterDescription] = Kind.allCases.flatMap {
        [ParameterDescription].of($0.parameter)
    }

    /// Reads the target of an erasure: exactly one name, or everything.
    fileprivate init(_ arguments: RouteArguments) throws(Problem) {
        let group = try arguments.groupOrDefault()
        var named: ErasureTarget?
        for kind in Kind.allCases {
            guard let name = try arguments[kind.parameter] else { continue }
            guard named == nil else {
                throw .parameter(kind.parameter.name, "cannot be beside another target: erase one target a call.")
            }
            named = ErasureTarget(group: group, kind: kind, name: name)
        }
        guard let named else {
            throw Problem(
                .badRequest,
                "Name what is erased, by one of the parameters id, providerId, thread, recipient or everything=true.")
        }
        self = named
    }
}

extension ErasureTarget.Kind {
    fileprivate var parameter: Parameter<String?> {
        let schema: JSONValue =
            self == .group ? ["type": "string", "enum": ["true"]] : ["type": "string", "minLength": 1]
        return Parameter(parameterName, meaning, schema, refusal, parse: name)
    }

    /// A whole group needs a word of its own, because each call has a group.
    private var parameterName: String { self == .group ? "everything" : rawValue }

    private var meaning: String {
        switch self {
        case .id: "The id of the request to erase."
        case .providerID: "The provider's id of the message to erase."
        case .thread: "The thread to erase."
        case .recipient: "A name of the receiver to erase."
        case .group: "`true`: the whole group is erased."
        }
    }

    private var refusal: String {
        switch self {
        case .id: "is not the id of a request."
        case .recipient: "must have 1 to \(RecipientName.maxScalars) characters."
        case .providerID, .thread: "must have 1 to 4096 bytes."
        case .group: "must be true."
        }
    }

    /// Reads the name of a target; the empty name for a whole group.
    private func name(in text: String) -> String? {
        switch self {
        case .id: RequestID(text) == nil ? nil : text
        case .recipient: RecipientName.parse(text)
        case .providerID, .thread: text.isEmpty || text.utf8.count > 4_096 ? nil : text
        case .group: text == "true" ? "" : nil
        }
    }
}

extension ErasureRoutes {
    private static let erasureID = Parameter<String>(path: "id", "The id of the erasure.")
    private static let suppress = Parameter<Bool>(
        flag: "suppress", "Whether later requests to the erased receiver are refused.")
    private static let mentions = Parameter<Bool>(
        flag: "mentions", "Whether requests whose texts only mention the name are removed, too.")
}

extension Route.Output {
    fileprivate static let accepted = json(
        status: 202, "The erasure is durable, and `Location` is the path of its state.", .component("Erasure"))
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

extension ErasureRoutes {
    fileprivate static let schema: JSONValue = .object(of: [
        "id": .anyText, "appGroup": .anyText, "by": ["type": "string", "enum": .names(of: ErasureTarget.Kind.self)],
        "suppress": ["type": "boolean"],
        "state": ["type": "string", "enum": ["running", "waiting-for-reader", "done"]], "requestedAt": .anyText,
        "endedAt": .anyTextOrNull,
        "erased": .object(of: JSONObject(ErasureCounts.removed.map { ($0.name, .component("Count")) })),
        "mentions": .component("Count"),
        "notSearched": [
            "type": "array", "items": ["type": "string", "enum": ["base64", "compressed", "short-names"]],
        ],
    ])
}
