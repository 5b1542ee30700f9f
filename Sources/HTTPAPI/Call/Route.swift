import HTTPTypes
import NotificationModel

/// The requests of the HTTP API. Reading the head of a request into a route has no side effect.
enum Route: Sendable, Equatable {
    case submit(SubmitOptions)
    case look(RequestKey)
    case cancel(RequestKey)
    /// Cancels all requests with a provider's id. If `group` is `nil`, the requests of all groups are cancelled.
    case cancelByProvider(String, group: AppGroupName?)
    case purge
    case warm
    case events(after: String?)
    case requestEvents(RequestKey, after: String?)
    case status
    case health
    case readiness
    case metrics

    /// Whether the route concerns requests. The other routes concern the daemon itself.
    var isAboutRequests: Bool {
        switch self {
        case .submit, .look, .cancel, .cancelByProvider, .requestEvents: true
        case .purge, .warm, .events, .status, .health, .readiness, .metrics: false
        }
    }

    /// Whether the request's body is read.
    var takesBody: Bool {
        switch self {
        case .submit, .purge, .warm: true
        default: false
        }
    }

    /// The maximum size of the body of this route, in bytes. The limit of the server applies too.
    var mostBodyBytes: Int {
        // The body of a purge contains only one target.
        self == .purge ? 64 << 10 : .max
    }

    init(_ head: HTTPRequest) throws(Problem) {
        let target = try RequestTarget(head.path ?? "")
        let isReading = head.method == .get || head.method == .head
        switch target.segments {
        case ["v1", "notifications"]:
            guard head.method == .post else { throw Self.wrongMethod([.post]) }
            try target.checkParameters(known: ["group"])
            self = .submit(try SubmitOptions(head, group: try Self.group(in: target)))
        case let path where path.starts(with: ["v1", "notifications"]) && path.count == 3 && path[2] != "":
            if head.method == .delete {
                self = try Self.cancel(path[2], target)
            } else if isReading {
                try target.checkParameters(known: ["group"])
                self = .look(try Self.key(path[2], target))
            } else {
                throw Self.wrongMethod([.get, .head, .delete])
            }
        case let path where path.starts(with: ["v1", "notifications"]) && path.count == 4 && path[3] == "events":
            try Self.checkReading(isReading, target, known: ["group"])
            self = .requestEvents(try Self.key(path[2], target), after: try Self.lastEventID(head))
        case ["v1", "cache", "purge"]:
            guard head.method == .post else { throw Self.wrongMethod([.post]) }
            try target.checkParameters(known: [])
            self = .purge
        case ["v1", "warm"]:
            guard head.method == .post else { throw Self.wrongMethod([.post]) }
            try target.checkParameters(known: [])
            self = .warm
        case ["v1", "events"]:
            try Self.checkReading(isReading, target, known: [])
            self = .events(after: try Self.lastEventID(head))
        case ["v1", "status"]:
            try Self.checkReading(isReading, target, known: [])
            self = .status
        case ["healthz"]: self = try Self.probe(.health, isReading)
        case ["readyz"]: self = try Self.probe(.readiness, isReading)
        case ["metrics"]: self = try Self.probe(.metrics, isReading)
        default: throw Problem(.notFound, RouteSuggestion.text(for: target.segments))
        }
    }

    private static func cancel(_ id: String, _ target: RequestTarget) throws(Problem) -> Route {
        try target.checkParameters(known: ["group", "by"])
        switch try target.parameter("by") {
        case nil, "id": return .cancel(try key(id, target))
        case "provider": return .cancelByProvider(id, group: try group(in: target))
        case let other?: throw .parameter("by", "is \"\(other)\", which is neither id nor provider.")
        }
    }

    /// Reads a route of a health check. Its parameters are ignored, because some clients add one to bypass caches.
    private static func probe(_ call: Route, _ isReading: Bool) throws(Problem) -> Route {
        guard isReading else { throw wrongMethod([.get, .head]) }
        return call
    }

    private static func checkReading(
        _ isReading: Bool, _ target: RequestTarget, known: [String]
    ) throws(Problem) {
        guard isReading else { throw wrongMethod([.get, .head]) }
        try target.checkParameters(known: known)
    }

    private static func key(_ id: String, _ target: RequestTarget) throws(Problem) -> RequestKey {
        guard let id = RequestID(id) else {
            throw Problem(
                .badRequest,
                "The id in the path must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot.")
        }
        return RequestKey(group: try group(in: target) ?? .default, id: id)
    }

    private static func group(in target: RequestTarget) throws(Problem) -> AppGroupName? {
        guard let name = try target.parameter("group") else { return nil }
        guard let group = AppGroupName(name) else {
            throw .parameter("group", "must be 1 to 128 letters, digits, dots and dashes, not beginning with a dot.")
        }
        return group
    }

    private static func lastEventID(_ head: HTTPRequest) throws(Problem) -> String? {
        guard let id = head.headerFields[.lastEventID], !id.isEmpty else { return nil }
        guard id.utf8.count <= 256 else { throw .header("Last-Event-ID", "has more than 256 bytes.") }
        return id
    }

    private static func wrongMethod(_ allowed: [HTTPRequest.Method]) -> Problem {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return Problem(.wrongMethod, "The methods of this path are \(names).", headers: [.allow: names])
    }
}
