import Base
import NIOCore
import NIOHTTP1

/// The handler of one connection. It gets a reply to a request from the planner, passes it to a writer, and counts the
/// result.
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
    private let origin: CurrentValue<OriginCounts>
    private let gate: HeadGate
    private let timers: OriginTimers
    private let link: NetworkLink?
    /// The number of the connection among all accepted ones, from 1.
    private var number = 0
    private var state = State.idle

    init(
        planner: ReplyPlanner, origin: CurrentValue<OriginCounts>, gate: HeadGate, timers: OriginTimers,
        link: NetworkLink?
    ) {
        self.timers = timers
        self.link = link
        self.planner = planner
        self.origin = origin
        self.gate = gate
    }

    func channelActive(context: ChannelHandlerContext) {
        let open: Int
        (number, open) = origin.update { ($0.countConnection(), $0.connectionsOpen) }
        if open > MisbehavingOrigin.maxConnections { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        var isResponding = false
        if case .responding(let writer) = state {
            writer.cancel()
            isResponding = true
        }
        state = .closing
        origin.update { [isResponding] counts in
            counts.connectionsClosed += 1
            if isResponding, !counts.isStopping { counts.disconnectsBeforeFinish += 1 }
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
        case .body: break
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
        let key = planner.key(of: head)
        let attempt = origin.update { [number] counts in counts.countRequest(head, as: key, onConnection: number) }
        let reply = planner.reply(to: head, hasBody: hasBody, attempt: attempt)
        respond(reply, to: head, context: context)
    }

    private func respond(_ reply: Reply, to head: HTTPRequestHead, context: ChannelHandlerContext) {
        origin.update { counts in
            if reply.isRefusal { counts.requestsRefused += 1 }
            counts.repliesByStatus[Int(reply.status.code), default: 0] += 1
        }
        let writer = DeliveryWriter(
            Delivery(reply, for: head), context: context, gate: gate, timers: timers, link: link
        ) { event in
            self.handle(event, context: context)
        }
        state = .responding(writer)
        writer.start()
    }

    private func handle(_ event: DeliveryWriter.Event, context: ChannelHandlerContext) {
        switch event {
        case .completing(let keepAlive): state = keepAlive ? .idle : .closing
        case .completed(true, let keepAlive):
            origin.update { $0.responsesFinished += 1 }
            if !keepAlive { context.close(promise: nil) }
        case .completed(false, _): origin.update { if !$0.isStopping { $0.disconnectsBeforeFinish += 1 } }
        case .stalled: origin.update { $0.stallsReached += 1 }
        case .breaking:
            state = .closing
            origin.update { $0.responsesCut += 1 }
        }
    }
}

extension HTTPRequestHead {
    fileprivate var announcesBody: Bool {
        headers.contains(name: "Transfer-Encoding") || headers[canonicalForm: "Content-Length"].contains { $0 != "0" }
    }
}
