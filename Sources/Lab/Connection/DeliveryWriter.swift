import Glibc
import NIOCore
import NIOHTTP1

/// Does what a ``Delivery`` says, on its connection's event loop: waits, writes while the socket takes it, breaks off.
final class DeliveryWriter {
    enum Event {
        /// The last part is about to be written; the next request may arrive during that very write.
        case completing(keepAlive: Bool)
        /// All of it went to the kernel, or (`false`) the connection ended before it could.
        case completed(Bool, keepAlive: Bool)
        /// Silence begins; the client is still owed the rest.
        case stalled
        /// The origin is about to close the connection under the reply.
        case breaking
    }

    /// After so many pieces other connections have their turn.
    private static let piecesPerTurn = 8

    private let context: ChannelHandlerContext
    private let gate: HeadGate
    private let delivery: Delivery
    private let report: (Event) -> Void
    /// What is left of a head that comes in pieces; `nil` where the body's turn is.
    private var head: FaultyHead?
    private var progress: DeliveryProgress
    private var timer: Scheduled<Void>?
    /// When the first piece was due, of the head or of the body.
    private var begin: NIODeadline?
    private var lastWrite: EventLoopFuture<Void>?
    private var isPumping = false
    private var isOver = false

    init(
        _ delivery: Delivery, context: ChannelHandlerContext, gate: HeadGate, report: @escaping (Event) -> Void
    ) {
        self.delivery = delivery
        self.context = context
        self.gate = gate
        self.report = report
        progress = DeliveryProgress(delivery)
    }

    /// Begins, in a later turn of the event loop even where there is no delay: pipelined requests, each answered inside
    /// the call that brings it, would be as deep a recursion as the client likes.
    func start() {
        guard let delay = delivery.delay else { return report(.stalled) }
        schedule(in: delay) { writer in
            writer.begin = writer.context.eventLoop.now
            writer.beginHead()
            writer.pump()
        }
    }

    /// Writes on. Called by timers and whenever the socket takes bytes again.
    func pump() {
        // A flush inside calls back here when the socket takes all of it at once.
        guard let begin, !isPumping, !isOver else { return }
        isPumping = true
        defer { isPumping = false }
        var start = begin
        var pieces = 0
        while context.channel.isWritable, pieces < Self.piecesPerTurn {
            let elapsed = Duration(context.eventLoop.now - start)
            switch progress.next(at: elapsed) {
            case .send(let offset, let limit):
                // The bytes are gone only where somebody cut the file while it was served.
                guard let count = send(from: offset, limit: limit) else { return end(.broken(.close)) }
                progress.sent(count)
                pieces += 1
            case .wait(let due):
                context.flush()
                return schedule(in: due - elapsed) { $0.pump() }
            case .end(let ending):
                guard head != nil else { return end(ending) }
                start = beginBody()
            }
        }
        context.flush()
        // Where the socket is full, its handler calls when it is not.
        if context.channel.isWritable { schedule(in: .zero) { $0.pump() } }
    }

    /// Nothing is written or reported any more, except what becomes of a part already on its way.
    func cancel() {
        isOver = true
        timer?.cancel()
    }

    /// Writes the head, or takes it from the encoder to be written in pieces.
    private func beginHead() {
        guard delivery.slowHead != nil || delivery.headIsEndless else { return write(.head(delivery.head)) }
        guard let encoded = gate.hold(during: { write(.head(delivery.head)) }) else { return }
        let text = FaultyHead(encoded, isEndless: delivery.headIsEndless)
        head = text
        progress = DeliveryProgress(text, over: delivery.slowHead)
    }

    private func beginBody() -> NIODeadline {
        let now = context.eventLoop.now
        head = nil
        progress = DeliveryProgress(delivery)
        begin = now
        return now
    }

    /// Writes bytes of the head or the body; returns how many, `nil` where there are none.
    private func send(from offset: Int, limit: Int) -> Int? {
        if let head {
            guard let piece = head.read(at: offset, limit: limit) else { return nil }
            lastWrite = gate.send(piece)
            return piece.readableBytes
        }
        guard let piece = delivery.body.read(at: offset, limit: limit) else { return nil }
        write(.body(.byteBuffer(piece)))
        return piece.readableBytes
    }

    private func end(_ ending: Delivery.Ending) {
        isOver = true
        switch ending {
        case .complete(let keepAlive):
            report(.completing(keepAlive: keepAlive))
            let written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { [report] result in
                report(.completed((try? result.get()) != nil, keepAlive: keepAlive))
            }
            context.writeAndFlush(Self.wrap(.end(nil)), promise: written)
        case .broken(let manner):
            context.flush()
            // A close fails what is still queued, so it waits until the kernel has the last byte. A write that fails
            // is the end of the connection, which its handler sees.
            lastWrite?.assumeIsolated().whenSuccess { self.breakOff(manner) }
        }
    }

    private func breakOff(_ manner: Cut.Manner) {
        switch manner {
        case .stall:
            report(.stalled)
        case .close:
            report(.breaking)
            context.close(promise: nil)
        case .reset:
            report(.breaking)
            // With no time to linger, close sends RST instead of FIN (socket(7)).
            let abortively = linger(l_onoff: 1, l_linger: 0)
            _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(abortively)
            context.close(promise: nil)
        }
    }

    private func write(_ part: HTTPServerResponsePart) { lastWrite = context.write(Self.wrap(part)) }

    private func schedule(in delay: Duration, _ task: @escaping (DeliveryWriter) -> Void) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { task(self) }
    }

    private static func wrap(_ part: HTTPServerResponsePart) -> NIOAny { OriginConnectionHandler.wrapOutboundOut(part) }
}
