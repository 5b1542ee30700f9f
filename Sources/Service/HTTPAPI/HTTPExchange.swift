import Authentication
import Base
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NotificationModel

/// The handling of one request: the access check, the route, the body, the response, and the line in the log.
///
/// A class, because each connection and each waiting request would keep copies of some 1,400 bytes of a structure.
final class HTTPExchange: Sendable {
    let settings: HTTPServerSettings
    let clock: any RequestClock
    let logger: Logger
    private let context: CallContext
    private let table: RouteTable
    let streams: EventStreamWriter
    let access: AccessControl
    let penalties: AddressPenalties
    /// The memory for the bodies of `POST /v1/warm`, which are kept until their items are warmed.
    private let warmingMemory: BodyMemory
    /// The bytes of large responses, which stay in memory until their clients have read them.
    private let responses: ByteShares
    private let date = DateHeaderCache()
    let refusals: RefusalLog
    /// An event after which each response is the last one of its connection, so that its client opens another
    /// connection, which the next daemon accepts.
    private let handingOver: AsyncEvent

    init(
        settings: HTTPServerSettings, context: CallContext, access: AccessControl, table: RouteTable, logger: Logger,
        handingOver: AsyncEvent
    ) {
        (self.settings, self.context, self.access, self.table) = (settings, context, access, table)
        (clock, self.logger, self.handingOver) = (context.clock, logger, handingOver)
        streams = EventStreamWriter(
            clock: clock, heartbeat: settings.heartbeat, draining: context.draining, access: access)
        refusals = RefusalLog(logger: logger, clock: clock)
        penalties = AddressPenalties(
            exempt: settings.trustedProxies, maxConnections: settings.maxConnections, clock: clock)
        responses = ByteShares(limit: settings.maxResponseBytes, share: 0.25)
        warmingMemory = BodyMemory(
            limiter: ByteLimiter(limit: settings.maxWarmingBytes), clock: clock, patience: settings.memoryWait,
            threshold: 0, least: settings.minWarmingBytes)
    }

    /// An error that closes the connection. The error is thrown if the client has disconnected, or after a response
    /// that left a part of the body unread.
    struct ConnectionEnds: Error {}

    /// The default value of `Retry-After` in a 503 response, in seconds.
    private static let retryAfter = "1"
    /// The status that nginx logs if the client disconnects before it has the response.
    private static let clientGone = 499
    /// The time in which further bytes are read and discarded after an early response. A client whose connection is
    /// reset while it sends does not see the response.
    static let lingering: Duration = .seconds(2)

    @concurrent func respond(
        to request: Request, over connection: Connection, by rule: AccessRule, with writer: consuming ResponseWriter
    ) async throws {
        guard !connection.refusals.isExhausted else { throw ConnectionEnds() }
        let started = clock.now
        var body = IncomingBody(request, connection: connection)
        var call = Call(trace: CallTrace(id: requestID(of: request.head), parent: TraceParent(request.head)))
        let answer = await answer(
            to: request, as: &call, body: &body, over: connection, by: rule, continuing: writer)
        var code = Self.clientGone
        defer {
            HTTPMetrics.count(call.metric, status: code, after: started.duration(to: clock.now))
            log(
                request.method, call,
                from: ClientAddress.of(request.head, over: connection, trusting: settings.trustedProxies), status: code,
                since: started)
        }
        try await write(
            answer, to: request, of: call, body: &body, over: connection, with: writer, status: &code)
    }

    /// Writes a response, and throws ``ConnectionEnds`` if it is the last one of its connection.
    ///
    /// The function is not inlined, because a task that waits for a result would otherwise have memory for its values.
    /// This and the objects of a call save 120 of 377 MB for 10,000 waiting requests (`make chaos ONLY=bodies`).
    ///
    /// - Parameter code: A variable that receives the status when the head is sent.
    @inline(never)
    @concurrent private func write(
        _ answer: Route.Answer, to request: Request, of call: Call, body: inout IncomingBody,
        over connection: Connection, with writer: consuming ResponseWriter, status code: inout Int
    ) async throws {
        var answer = answer
        let byteCount = request.method == .head ? 0 : Self.memory(of: answer, over: connection)
        if byteCount > Self.largeResponse {
            answer = await holding(answer, of: byteCount, to: request, of: call, over: connection)
        } else {
            connection.hold(nil)
        }
        var head: Response
        switch answer {
        case .clientGone: throw ConnectionEnds()
        case .response(let response), .shared(let response), .result(let response, _, _), .file(let response, _):
            head = response
        case .events: head = Response(status: .ok, headers: EventStreamWriter.headers)
        case .lines: head = Response(status: .ok, headers: LineStreamWriter.headers)
        }
        head.headers[.date] = date.text
        if head.status == .serviceUnavailable, head.headers[.retryAfter] == nil {
            head.headers[.retryAfter] = Self.retryAfter
        }
        head.headers[.requestID] = call.trace.id?.description
        if let permit = call.permit { head.headers.append(contentsOf: permit.fields) }
        let isLast = connection.refusals.add(isRefusal: call.refusal != nil)
        // The body of a batch arrives while its response is written.
        var streamsBody = false
        let isHandedOver = !connection.isStream && handingOver.isSignalled
        if case .lines = answer { streamsBody = connection.isReceiving }
        if !connection.isStream,
            isLast || body.isUnread && !streamsBody || request.headers[.connection] == "close"
                || isHandedOver
        {
            head.headers[.connection] = "close"
        }
        if case .lines(let lines) = answer {
            head.headers[.contentLength] = nil
            let stream = try await writer.writeHead(head.head)
            code = head.status.code
            try await LineStreamWriter(draining: streams.draining).write(lines, to: stream, over: connection)
        } else if case .events(let feed) = answer {
            head.headers[.contentLength] = nil
            if request.method == .head {
                try await writer.writeResponse(head.head)
                code = head.status.code
            } else {
                let stream = try await writer.writeHead(head.head)
                code = head.status.code
                try await streams.write(
                    feed, authorization: request.headers[.authorization], to: stream, over: connection)
            }
        } else if case .file(_, let file) = answer, request.method == .get {
            let body = try await writer.writeHead(head.head)
            code = head.status.code
            try await file.write(to: body, over: connection, until: streams.draining)
        } else {
            if request.method == .head { head = head.createHeadResponse() }
            do { try await writer.write(response: head.head, body: head.body) } catch {
                if case .result(_, let key, let coordinator) = answer { coordinator.keepUndelivered(key) }
                throw error
            }
            code = head.status.code
        }
        if isLast { connection.refusals.end() }
        guard !body.isUnread else {
            // The end of a stream also ends the arrival of its body.
            if connection.isStream { throw ConnectionEnds() }
            await body.drop(within: Self.lingering)
            throw ConnectionEnds()
        }
        if isLast || isHandedOver { throw ConnectionEnds() }
    }

    /// The size from which a response counts as a large one.
    private static let largeResponse = 16 << 10
    /// The bytes of a file that wait for a client: the part that is written, and the next one.
    private static let fileParts = 128 << 10

    /// Returns the number of bytes that an answer keeps in memory for its client. TLS encrypts a response as it is written,
    /// and a stream writes no more than its client has room for.
    private static func memory(of answer: Route.Answer, over connection: Connection) -> Int {
        switch answer {
        case .shared(let response) where connection.isSecure && !connection.isStream: response.body.contentLength ?? 0
        case .response(let response), .result(let response, _, _): response.body.contentLength ?? 0
        case .file: fileParts
        case .clientGone, .events, .lines, .shared: 0
        }
    }

    /// Takes the memory of a large response until its client has read it.
    ///
    /// - Returns: The answer. If the caller has too many unread responses, a GET is refused. Any other call has had its
    ///   effect, so it waits a moment, and then its connection ends without a response, as if the network had failed.
    private func holding(
        _ answer: Route.Answer, of byteCount: Int, to request: Request, of call: Call, over connection: Connection
    ) async -> Route.Answer {
        // Callers without a token share one name, so their addresses tell them apart.
        let address = ClientAddress.of(request.head, over: connection, trusting: settings.trustedProxies)
        let owner = call.share ?? address?.text ?? Caller.local.name
        if responses.take(byteCount, by: owner, orFirst: true) {
            connection.hold(ByteShare(byteCount, of: owner, in: responses))
            return answer
        }
        guard request.method == .get else {
            let late = AsyncEvent()
            let alarm = clock.alarm(at: clock.now.advanced(by: settings.memoryWait)) { late.signal() }
            defer { alarm.cancel() }
            if await responses.takeWhenFree(byteCount, by: owner, unless: late) {
                connection.hold(ByteShare(byteCount, of: owner, in: responses))
                return answer
            }
            if case .result(_, let key, let coordinator) = answer { coordinator.keepUndelivered(key) }
            return .clientGone
        }
        connection.hold(nil)
        return .response(
            Problem(.full, "Too many responses wait for their clients. Try again in 1 s.", headers: [.retryAfter: "1"])
                .response)
    }

    /// The facts about a call that its response, the log and the metrics need.
    private struct Call {
        let trace: CallTrace
        /// The name of the route in `/metrics`; `nil` if the path or the method has no route.
        var metric: String?
        /// The path of the route, in which ids are parameters.
        var path = "unknown"
        /// The name of the caller; `nil` for a process of this machine, or if the caller is not authenticated.
        var caller: String?
        /// The name by which the caller has its share of memory; `nil` for callers without a token over TCP.
        var share: String?
        /// The reason for which the call was refused; `nil` for any other response.
        var refusal: Problem.Kind?
        /// The permit, which is held until the response ends; `nil` if the caller has no limits.
        var permit: CallPermit?
    }

    /// Checks a request, reads its body and calls its handler.
    ///
    /// - Parameter call: A variable that receives the facts about the call.
    /// - Parameter writer: A writer that sends the 100 response to a client that waits for it.
    @concurrent private func answer(
        to request: Request, as call: inout Call, body: inout IncomingBody, over connection: Connection,
        by rule: AccessRule, continuing writer: borrowing ResponseWriter
    ) async -> Route.Answer {
        do throws(Problem) {
            let (bodyRule, handler) = try admit(request.head, as: &call, over: connection, by: rule)
            var bytes: [UInt8] = []
            var stream: StreamedBody?
            if let bodyRule, bodyRule.isStreamed {
                if let encoding = Self.encoding(of: request.head) { throw Problem.encoded(encoding) }
                if body.waitsForContinue { try? await writer.writeInformationalHead(HTTPResponse(status: .continue)) }
                stream = body.stream(within: settings.bodyLimit)
            } else if let rule = bodyRule {
                let memory = rule.isKept ? warmingMemory : context.bodies
                let most = min(settings.maxBodyBytes, rule.maxBytes)
                try await body.admit(most: most, memory: memory)
                if body.waitsForContinue { try? await writer.writeInformationalHead(HTTPResponse(status: .continue)) }
                bytes = try await body.collect(most: most, within: settings.bodyLimit, memory: memory)
            }
            let answer = try await handler(
                Route.Input(
                    body: consume bytes, lease: body.takeLease(), stream: stream, gone: connection.gone,
                    permit: call.permit, trace: call.trace))
            switch answer {
            case .events where connection.speaksOldHTTP, .lines where connection.speaksOldHTTP:
                throw Problem(.oldHTTP, "A stream needs HTTP/1.1.")
            default: return answer
            }
        } catch {
            var error = error
            if error.kind == .notJSON, let encoding = Self.encoding(of: request.head) { error = .encoded(encoding) }
            if error.kind.isRefusal { call.refusal = error.kind }
            guard let foreign = table.foreign, foreign.answers(request.head.path ?? "") else {
                return .response(error.response)
            }
            return .response(foreign.response(to: error))
        }
    }

    /// The content codings that compress (the registry of HTTP content codings, RFC 9110 §16.6.1).
    private static let codings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress"]

    /// Returns the compression that the head names; `nil` if it names none. A whole body is refused for it only if it is no
    /// JSON, because its head may be wrong. A streamed body is refused at once.
    private static func encoding(of head: HTTPRequest) -> String? {
        head.headerFields[.contentEncoding].flatMap { codings.contains($0.lowercased()) ? $0 : nil }
    }

    /// Finds the route of a request, authenticates its caller, and reads the arguments in its head.
    ///
    /// The function is not inlined, because a task that waits for a result would otherwise keep these values.
    @inline(never)
    private func admit(
        _ head: HTTPRequest, as call: inout Call, over connection: Connection, by rule: AccessRule
    ) throws(Problem) -> (body: Route.BodyRule?, handler: Route.Handler) {
        if let codings = head.headerFields[.transferEncoding], !TransferCoding.isChunkedAlone(codings) {
            throw Problem(.badRequest, "Transfer-Encoding must be chunked, without any other coding.")
        }
        let routed = Result { () throws(Problem) in try table.route(of: table.foreign?.resolved(head) ?? head) }
        let route = try? routed.get().route
        call.metric = route?.metric
        if let path = route?.path { call.path = path.description }
        // A malformed target concerns no path. A caller without authentication does not learn which paths exist.
        if case .failure(let problem) = routed, problem.kind == .badRequest { throw problem }
        let caller = try rule.caller(
            of: head, to: route, isOpen: table.foreign?.isOpen(head.path ?? "") ?? false, over: connection, by: access,
            at: clock.date)
        if !caller.isLocal { call.caller = caller.name }
        if caller != .local, caller != .anonymous, caller != .homeserver { call.share = caller.share }
        call.permit = try access.admit(caller, at: clock.now)
        try AccessControl.check(caller, has: route?.scope)
        let found = try routed.get()
        let handler = try table.handler(of: found.route, for: head, to: found.target, from: caller)
        try context.checkPhase(for: found.route)
        return (found.route.body, handler)
    }

    /// Returns the prepared response to a download, and logs and counts the call; `nil` if no response is prepared.
    ///
    /// - Parameter target: The target of the request.
    func preparedDownload(
        of target: String, over connection: Connection, at now: MonotonicInstant
    ) -> (head: ByteBuffer, body: ByteBuffer)? {
        guard let route = table.preparing, var response = route.prepared?(target, now) else { return nil }
        let requestID = newRequestID
        response.head.writeString("date: \(date.text)\r\n\(HTTPField.Name.requestID): \(requestID)\r\n\r\n")
        _ = connection.refusals.add(isRefusal: false)
        let call = Call(
            trace: CallTrace(id: requestID), metric: route.metric, path: route.path.description,
            caller: Caller.anonymous.name)
        HTTPMetrics.count(call.metric, status: 200, after: now.duration(to: clock.now))
        log(.get, call, from: connection.address, status: 200, since: now)
        return response
    }

    /// Returns the caller's own request id if it has a valid form, or else a new id.
    private func requestID(of head: HTTPRequest) -> RequestID {
        head.headerFields[.requestID].flatMap(RequestID.init) ?? newRequestID
    }

    private var newRequestID: RequestID {
        .new(millisecondsSince1970: UInt64(max(0, clock.date.timeIntervalSince1970 * 1_000)))
    }

    /// Logs a call by the path of its route, because a path with an id tells which messages a recipient gets.
    ///
    /// - Parameter client: The address of the client; `nil` for a unix socket.
    private func log(
        _ method: HTTPRequest.Method, _ call: Call, from client: @autoclosure () -> IPAddress?, status: Int,
        since started: MonotonicInstant
    ) {
        guard logger.logLevel <= .info else { return }
        func metadata() -> Logger.Metadata {
            var metadata: Logger.Metadata = [
                "method": .string(method.rawValue), "path": .string(call.path),
                "status": .stringConvertible(status),
                "ms": .stringConvertible(started.duration(to: clock.now).milliseconds.roundedToTenths),
            ]
            for (name, value) in call.trace.logFields { metadata[name] = .string(value) }
            if let caller = call.caller { metadata["caller"] = .string(caller) }
            if let client = client() { metadata["client"] = .string(client.text) }
            return metadata
        }
        if let refusal = call.refusal {
            refusals.note(refusal, metadata: metadata)
        } else {
            logger.info("answered", metadata: metadata())
        }
    }
}
