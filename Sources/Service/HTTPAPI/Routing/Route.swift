import Authentication
import Base
import HTTPTypes
import HummingbirdCore
import NIOCore
import NotificationModel

/// A route of the HTTP API: the rules for its requests, its documents, and its handler, which closes over its feature.
package struct Route: Sendable {
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
    typealias Handler = @Sendable (consuming Input) async throws(Problem) -> Answer

    /// The method. A route for GET also answers HEAD.
    let method: HTTPRequest.Method
    let path: PathPattern
    /// The name of the method that clients in other languages have for the route (OpenAPI 3.1, `operationId`).
    let operation: String
    /// The permission that a caller needs; `nil` if callers need no authentication.
    let scope: Scope?
    /// The parameters that the route reads; `nil` if it ignores the query. Other query parameters are refused.
    var parameters: [ParameterDescription]? = []
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
    /// The protocol of others to which the route belongs; `nil` for the daemon's own API.
    var foreign: (any ForeignAPI)?
    /// Returns the prepared response to a target: the head without its end, and the body. It is `nil` for a route
    /// whose responses are not prepared.
    var prepared: (@Sendable (_ target: String, MonotonicInstant) -> (head: ByteBuffer, body: ByteBuffer)?)?
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

extension Route {
    enum Answer: Sendable {
        case response(Response)
        /// A result for the caller that has waited for it. The coordinator keeps a result that is not delivered.
        case result(Response, RequestKey, any RequestIntake)
        case events(EventFeed)
        /// Values that are written as they are produced, each on a line of its own.
        case lines(LineStreamWriter.Source)
        /// A response whose body is read from a file while it is written.
        case file(Response, MediaPart, MediaServing)
        /// The caller has disconnected, so no response is written.
        case clientGone

        static var noContent: Answer { .response(.noContent) }

        static func json(_ value: JSONValue) -> Answer { .response(.json(value)) }
    }
}

/// A protocol of others that some routes follow. A reload of the configuration changes its rules.
protocol ForeignAPI: Sendable {
    /// Tells the protocol the paths of all routes, which take precedence over its further paths.
    func reserve(_ paths: [PathPattern])
    /// Returns the request with the path of a route in place of a further path.
    func resolved(_ head: HTTPRequest) -> HTTPRequest
    /// Returns whether errors of a target have the protocol's form.
    func answers(_ target: String) -> Bool
    /// Returns whether the callers of a target need no token.
    func isOpen(_ target: String) -> Bool
    /// Returns a problem in the protocol's form.
    func response(to problem: Problem) -> Response
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
