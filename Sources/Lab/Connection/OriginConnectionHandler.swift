import NIOCore
import NIOHTTP1

/// The handler of one connection. The handler receives a request, gets a reply from the planner, passes it to a writer,
/// and counts the result.
final class OriginConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case receiving(HTTPRequestHead)
        case responding(DeliveryWriter)
        /// The origin closes the connection and ignores further bytes.
        case closing
    }

    private let planner: ReplyPlanner
    private let table: OriginLedger
    private let gate: HeadGate
    /// The number of the connection among all accepted ones, from 1.
    private var number = 0
    private var state = State.idle

    init(planner: ReplyPlanner, table: OriginLedger, gate: HeadGate) {
        self.planner = planner
        self.table = table
        self.gate = gate
    }

    func channelActive(context: ChannelHandlerContext) {
        let open: Int
        (number, open) = table.record { ($0.countConnection(), $0.connectionsOpen) }
        if open > MisbehavingOrigin.mostConnections { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        var leftEarly = false
        if case .responding(let writer) = state {
            writer.cancel()
            leftEarly = !table.isStopping
        }
        state = .closing
        table.record { [leftEarly] counts in
            counts.connectionsClosed += 1
            if leftEarly { counts.disconnectsBeforeFinish += 1 }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .closing = state { return }
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            // A request is refused as soon as it announces a body, so that the origin does not wait for the body.
            if head.announcesBody {
                answer(head, hasBody: true, context: context)
            } else {
                state = .receiving(head)
            }
        case .body:
            break
        case .end:
            if case .receiving(let head) = state { answer(head, hasBody: false, context: context) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .responding(let writer) = state, context.channel.isWritable { writer.pump() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that disconnects in the middle of a head does not read a refusal.
        guard let error = error as? HTTPParserError, error != .invalidEOFState, case .idle = state else {
            return context.close(promise: nil)
        }
        let reply: Reply =
            error == .headerOverflow
            ? .refusal(.requestHeaderFieldsTooLarge, "The head is longer than 16 KiB or 100 fields.", closing: true)
            : .refusal(.badRequest, "This is not an HTTP request: \(error).", closing: true)
        respond(reply, to: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), context: context)
    }

    private func answer(_ head: HTTPRequestHead, hasBody: Bool, context: ChannelHandlerContext) {
        let attempt = table.record { [number] counts in counts.countRequest(head, onConnection: number) }
        let reply = planner.reply(to: head, hasBody: hasBody, attempt: attempt)
        respond(reply, to: head, context: context)
    }

    private func respond(_ reply: Reply, to head: HTTPRequestHead, context: ChannelHandlerContext) {
        table.record { counts in
            if reply.isRefusal { counts.requestsRefused += 1 }
            counts.repliesByStatus[Int(reply.status.code), default: 0] += 1
        }
        let writer = DeliveryWriter(Delivery(reply, for: head), context: context, gate: gate) { event in
            self.handle(event, context: context)
        }
        state = .responding(writer)
        writer.start()
    }

    private func handle(_ event: DeliveryWriter.Event, context: ChannelHandlerContext) {
        switch event {
        case .completing(let keepAlive):
            state = keepAlive ? .idle : .closing
        case .completed(true, let keepAlive):
            table.record { $0.responsesFinished += 1 }
            if !keepAlive { context.close(promise: nil) }
        case .completed(false, _):
            if !table.isStopping { table.record { $0.disconnectsBeforeFinish += 1 } }
        case .stalled:
            table.record { $0.stallsReached += 1 }
        case .breaking:
            state = .closing
            table.record { $0.responsesCut += 1 }
        }
    }
}

extension HTTPRequestHead {
    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding")
            || headers[canonicalForm: "Content-Length"].contains { $0 != "0" }
    }
}
