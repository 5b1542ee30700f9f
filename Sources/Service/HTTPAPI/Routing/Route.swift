package import Authentication
package import Base
package import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import NotificationModel

/// A route of the HTTP API: the rules for its requests, its documents, and its handler, which closes over its feature.
package struct Route: Sendable {
    /// The parts of a request, other than its head, that the handler takes.
    package struct Input: Sendable {
        /// The bytes of the body; empty if the route reads no body.
        package let body: [UInt8]
        /// The lease of a large body; `nil` if the body needs no lease.
        package let lease: ByteLease?
        /// The body of a route that reads it while it writes its response; `nil` for all other routes.
        package var stream: StreamedBody?
        /// An event that is signalled when the caller disconnects.
        package let gone: AsyncEvent
        /// The permit of the caller; `nil` if the caller has no limits.
        package let permit: CallPermit?
        /// The names of the call.
        package let trace: CallTrace
    }

    /// The rules for reading a body.
    package struct BodyRule: Sendable {
        /// The maximum size of the body, in bytes. The limit of the server applies too.
        var maxBytes = Int.max
        /// Whether the body and its lease stay in memory until the response ends.
        var isKept = false
        /// Whether the handler reads the body while it writes its response.
        var isStreamed = false

        package init(maxBytes: Int = Int.max, isKept: Bool = false, isStreamed: Bool = false) {
            self.maxBytes = maxBytes
            self.isKept = isKept
            self.isStreamed = isStreamed
        }
    }

    /// Answers one request. The handler contains the arguments from the head of the request.
    package typealias Handler = @Sendable (consuming Input) async throws(Problem) -> Answer

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
    /// The schemas to which the outputs and examples of the feature refer, by their names.
    var components: JSONObject = [:]
    /// The problems of the route, in addition to those that each route may have.
    var problems: [Problem.Kind] = []
    /// Reads the arguments of a request, without side effects, and returns its handler.
    let handler: @Sendable (RouteArguments) throws(Problem) -> Handler

    package init(
        method: HTTPRequest.Method, path: PathPattern, operation: String, scope: Scope?,
        parameters: [ParameterDescription]? = [], body: BodyRule? = nil, example: BodyExample? = nil,
        concernsRequests: Bool = false, isPublic: Bool = false, isForMonitoring: Bool = false,
        foreign: (any ForeignAPI)? = nil,
        prepared: (@Sendable (_ target: String, MonotonicInstant) -> (head: ByteBuffer, body: ByteBuffer)?)? = nil,
        metric: String, summary: String, outputs: [Output], components: JSONObject = [:], problems: [Problem.Kind] = [],
        handler: @escaping @Sendable (RouteArguments) throws(Problem) -> Handler
    ) {
        self.method = method
        self.path = path
        self.operation = operation
        self.scope = scope
        self.parameters = parameters
        self.body = body
        self.example = example
        self.concernsRequests = concernsRequests
        self.isPublic = isPublic
        self.isForMonitoring = isForMonitoring
        self.foreign = foreign
        self.prepared = prepared
        self.metric = metric
        self.summary = summary
        self.outputs = outputs
        self.components = components
        self.problems = problems
        self.handler = handler
    }

    /// The methods that the route answers.
    var methods: [HTTPRequest.Method] { method == .get ? [.get, .head] : [method] }
}

extension Route {
    package enum Answer: Sendable {
        case response(Response)
        /// A response whose body is a part of a buffer that outlives it, so that it takes no memory before its encryption.
        case shared(Response)
        /// A result for the caller that has waited for it. The coordinator keeps a result that is not delivered.
        case result(Response, RequestKey, any RequestIntake)
        case events(EventFeed)
        /// Values that are written as they are produced, each on a line of its own.
        case lines(LineStreamWriter.Source)
        /// A response whose body is read from a file while it is written.
        case file(Response, any FileBody)
        /// The caller has disconnected, so no response is written.
        case clientGone

        package static var noContent: Answer { .response(.noContent) }

        package static func json(_ value: JSONValue) -> Answer { .response(.json(value)) }
    }
}

/// A body that is read from a file while it is written.
package protocol FileBody: Sendable {
    /// Writes the body, each piece when the connection has room for it.
    ///
    /// - Parameter draining: An event that is signalled when the server ends.
    /// - Throws: The error of the connection or of the file. The response then ends before its announced length, so that
    ///   the client sees the failure.
    @concurrent func write(
        to writer: consuming some ResponseBodyWriter, over connection: Connection, until draining: AsyncEvent
    ) async throws
}

/// A protocol of others that some routes follow. A reload of the configuration changes its rules.
package protocol ForeignAPI: Sendable {
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
    /// The description of an error in the protocol's form, for the OpenAPI document.
    var errorDescription: JSONValue { get }
    /// The schemas of the protocol, by their names.
    var components: JSONObject { get }
}

extension PathPattern {
    /// The path of bodies that may have many short chunks.
    package static let batch: Self = "/v1/notifications:batch"
}

/// A path of the API, such as `/v1/notifications/{id}`. A segment in braces is a parameter.
package struct PathPattern: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let description: String
    let segments: [String]

    package init(stringLiteral text: String) {
        description = text
        segments = text.split(separator: "/").map(String.init)
    }

    var hasParameter: Bool { description.contains("{") }

    /// Returns whether a path has this pattern. A path with a superfluous slash at its end has no pattern.
    package func matches(_ path: [String], by isEqual: (String, String) -> Bool = (==)) -> Bool {
        path.count == segments.count && path.last != ""
            && zip(segments, path).allSatisfy { $0.hasPrefix("{") || isEqual($0, $1) }
    }
}
