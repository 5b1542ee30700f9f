import Authentication
import HTTPTypes
import JSON
import NotificationModel
import Primitives
import WebURL

/// A route of the HTTP API: the rules for its requests, and its handler. ``RouteTable`` has all routes.
struct Route: Sendable {
    /// The parts of a request, other than its head, that the handler takes.
    struct Input: Sendable {
        /// The bytes of the body; empty if the route reads no body.
        let body: [UInt8]
        /// The lease of a large body; `nil` if the body needs no lease.
        let lease: ByteLease?
        /// The body of a route that reads it while it writes its response; `nil` for all other routes.
        var stream: StreamedBody?
        /// An event that is signalled when the caller disconnects.
        let gone: AsyncEvent
        /// The permit of the caller; `nil` if the caller has no limits.
        let permit: CallPermit?
        /// The names of the call.
        let trace: CallTrace
    }

    /// The rules for reading a body.
    struct BodyRule: Sendable {
        /// The maximum size of the body, in bytes. The limit of the server applies too.
        var mostBytes = Int.max
        /// Whether the body and its lease stay in memory until the response ends.
        var isKept = false
        /// Whether the handler reads the body while it writes its response.
        var isStreamed = false
    }

    /// Answers one request. The handler contains the arguments from the head of the request.
    typealias Handler = @Sendable (RouteHandlers, consuming Input) async throws(Problem) -> RouteHandlers.Answer

    /// The method. A route for GET also answers HEAD.
    let method: HTTPRequest.Method
    let path: PathPattern
    /// The name of the method that clients in other languages have for the route (OpenAPI 3.1, `operationId`).
    let operation: String
    /// The permission that a caller needs; `nil` if callers need no authentication.
    let scope: Scope?
    /// The parameters that the route reads; `nil` if it ignores the query. Other query parameters are refused.
    var parameters: [Parameter]? = []
    /// The rules for the body; `nil` if the route reads no body.
    var body: BodyRule?
    /// An example of a body, for documents; `nil` if the route reads no body.
    var example: BodyExample?
    /// Whether the route concerns requests, and is refused until the daemon has restored them. The other routes concern
    /// the daemon itself.
    var concernsRequests = false
    /// Whether phones and browsers call the route. They send no token, and a proxy may pass on their `Host` and `Origin`.
    var isPublic = false
    /// Whether the listener for monitoring serves the route.
    var isForMonitoring = false
    /// Whether the route is one of Matrix's push gateway, whose errors have Matrix's form.
    var isOfMatrix = false
    /// The name of the route in `/metrics`. Several routes may have the same name.
    let metric: String
    /// A sentence about the route, for documents.
    let summary: String
    /// The responses of calls that succeed.
    let outputs: [Output]
    /// The problems of the route, in addition to those that each route may have.
    var problems: [Problem.Kind] = []
    /// Reads the arguments of a request, without side effects, and returns its handler.
    let handler: @Sendable (RouteArguments) throws(Problem) -> Handler

    /// The methods that the route answers.
    var methods: [HTTPRequest.Method] { method == .get ? [.get, .head] : [method] }
}

/// A path of the API, such as `/v1/notifications/{id}`. A segment in braces is a parameter.
struct PathPattern: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    let description: String
    let segments: [String]

    init(stringLiteral text: String) {
        description = text
        segments = text.split(separator: "/").map(String.init)
    }

    var hasParameter: Bool { description.contains("{") }

    /// Returns whether a path has this pattern. A path with a superfluous slash at its end has no pattern.
    func matches(_ path: [String], by isEqual: (String, String) -> Bool = (==)) -> Bool {
        path.count == segments.count && path.last != ""
            && zip(segments, path).allSatisfy { $0.hasPrefix("{") || isEqual($0, $1) }
    }
}

/// The arguments of a route in the head of a request.
struct RouteArguments: Sendable {
    let head: HTTPRequest
    let target: RequestTarget
    /// The path of the route.
    let path: PathPattern
    let caller: Caller

    /// The segment of the path at the parameter `{id}`.
    var id: String { segment("{id}") }

    func segment(_ parameter: String) -> String {
        zip(path.segments, target.segments).first { $0.0 == parameter }?.1 ?? ""
    }

    /// Checks that the caller has the right to all groups.
    ///
    /// - Parameter subject: The beginning of the sentence that refuses the call, such as `A purge concerns`.
    func checkAllGroups(_ subject: String) throws(Problem) {
        guard caller.groups == .all else {
            throw Problem(.forbidden, "\(subject) all groups, and the token does not permit all groups.")
        }
    }

    /// Reads a parameter that is `true` or `false`; `false` if the query has no such parameter.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch try target.parameter(name) {
        case nil, "false": false
        case "true": true
        default: throw .parameter(name, "must be true or false.")
        }
    }

    /// Reads the address of a rendition from the path.
    func mediaAddress() throws(Problem) -> MediaAddress {
        guard let address = MediaAddress(group: segment("{group}"), file: segment("{file}")) else { throw .noMedia }
        return address
    }

    /// Reads the key of a request from the path and the query.
    func key() throws(Problem) -> RequestKey {
        let id = try requestID()
        let key = RequestKey(group: try namedGroup() ?? .default, id: id)
        // The response does not tell whether a group that the caller may not use has the id.
        guard caller.groups.contains(key.group) else { throw .unknown(key) }
        return key
    }

    /// Reads the id of a request or of a batch from the path.
    func requestID() throws(Problem) -> RequestID {
        guard let id = RequestID(id) else {
            throw Problem(
                .badRequest,
                "The id in the path must be 1 to 128 letters, digits and ._-:@+=, not beginning with a dot.")
        }
        return id
    }

    /// Reads the kind of a problem from the path.
    func problemKind() throws(Problem) -> Problem.Kind {
        guard let kind = Problem.Kind(rawValue: segment("{kind}")) else {
            let names = Problem.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.notFound, "There is no such kind of problem. The kinds are \(names).")
        }
        return kind
    }

    /// Reads the parameter `after`, a number of results; 0 if the query has no such parameter.
    func after() throws(Problem) -> Int {
        guard let text = try target.parameter("after") else { return 0 }
        guard text.utf8.allSatisfy(\.isASCIIDigit), let count = Int(text), count <= 1 << 32 else {
            throw .parameter("after", "must be the number of results that are left out, such as 100.")
        }
        return count
    }

    /// Reads the parameter `wait`; zero if the query has no such parameter.
    func wait() throws(Problem) -> Duration {
        guard let text = try target.parameter("wait") else { return .zero }
        guard let wait = DurationText.parse(text), wait <= TimeBudget.longest else {
            throw .parameter("wait", "must be a time of at most an hour, such as 2s or 500ms.")
        }
        return wait
    }

    /// Reads the parameter `outcome`; `nil` if the query has no such parameter.
    func outcomes() throws(Problem) -> Set<Outcome>? {
        guard let text = try target.parameter("outcome") else { return nil }
        var outcomes: Set<Outcome> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let outcome = Outcome(rawValue: String(name)) else {
                let names = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
                throw .parameter("outcome", "must be one of \(names), or several of them with commas.")
            }
            outcomes.insert(outcome)
        }
        return outcomes
    }

    /// Reads the parameter `group`, which must be a group that the caller may use; `nil` if the query has no such
    /// parameter.
    func group() throws(Problem) -> AppGroupName? {
        guard let group = try namedGroup() else { return nil }
        guard caller.groups.contains(group) else {
            throw Problem(.forbidden, "The token does not permit the group \(group).", members: ["parameter": "group"])
        }
        return group
    }

    private func namedGroup() throws(Problem) -> AppGroupName? {
        guard let name = try target.parameter("group") else { return nil }
        guard let group = AppGroupName(name) else {
            throw .parameter("group", "must be 1 to 128 letters, digits, dots and dashes, not beginning with a dot.")
        }
        return group
    }

    /// Reads the field `Last-Event-ID`; `nil` if it is missing or empty.
    func lastEventID() throws(Problem) -> String? {
        guard let id = head.headerFields[.lastEventID], !id.isEmpty else { return nil }
        guard id.utf8.count <= 256 else { throw .header("Last-Event-ID", "has more than 256 bytes.") }
        return id
    }
}
