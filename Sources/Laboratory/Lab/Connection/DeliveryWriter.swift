import Glibc
import NIOCore
import NIOHTTP1

/// A writer that carries out a ``Delivery`` on its connection's event loop. The writer waits, writes while the socket
/// accepts bytes, and closes or resets the connection early if the delivery demands that.
final class DeliveryWriter {
    enum Event {
        /// The last part is about to be written. The next request may arrive during this write.
        case completing(keepAlive: Bool)
        /// The delivery has ended. The value is `false` if the connection ended before the kernel had all bytes.
        case completed(Bool, keepAlive: Bool)
        /// The writer sends nothing more, although the client waits for the rest.
        case stalled
        /// The origin is about to close the connection before the end of the reply.
        case breaking
    }

    /// The number of pieces after which other connections are served.
    private static let piecesPerTurn = 8

    private let context: ChannelHandlerContext
    private let gate: HeadGate
    private let delivery: Delivery
    private let report: (Event) -> Void
    /// The remaining part of a head that is sent in pieces; `nil` when the body is sent.
    private var head: FaultyHead?
    private var progress: DeliveryProgress
    private let timers: OriginTimers
    private let link: NetworkLink?
    private var timer: OriginTimer?
    /// The time at which the first piece of the head or the body was due.
    private var begin: NIODeadline?
    private var lastWrite: EventLoopFuture<Void>?
    private var isPumping = false
    private var isOver = false

    init(
        _ delivery: Delivery, context: ChannelHandlerContext, gate: HeadGate, timers: OriginTimers, link: NetworkLink?,
        report: @escaping (Event) -> Void
    ) {
        self.timers = timers
        self.link = link
        self.delivery = delivery
        self.context = context
        self.gate = gate
        self.report = report
        progress = DeliveryProgress(delivery)
    }

    /// Starts the delivery in a later turn of the event loop, even without a delay. Otherwise a client could cause a
    /// deep recursion with pipelined requests, each of which is answered inside the call that reads it.
    func start() {
        guard let delay = delivery.delay else { return report(.stalled) }
        schedule(in: delay) { writer in
            writer.begin = writer.context.eventLoop.now
            writer.beginHead()
            writer.pump()
        }
    }

    /// Writes more pieces. Timers call this function, and the handler calls it when the socket is writable again.
    func pump() {
        // A flush inside the loop calls this function again if the socket accepts all bytes at once.
        guard let begin, !isPumping, !isOver else { return }
        isPumping = true
        defer { isPumping = false }
        var start = begin
        var pieces = 0
        while context.channel.isWritable, pieces < Self.piecesPerTurn {
            let elapsed = Duration(context.eventLoop.now - start)
            switch progress.next(at: elapsed) {
            case .send(let offset, let largest):
                let now = context.eventLoop.now
                let isBody = head == nil
                if isBody, let wait = link?.wait(at: now) {
                    context.flush()
                    return schedule(in: wait) { $0.pump() }
                }
                let limit = isBody ? min(largest, delivery.slice ?? .max, link?.piece ?? .max) : largest
                // The bytes are missing only if the file was truncated while it was served.
                guard let count = send(from: offset, limit: limit) else { return end(.broken(.close)) }
                progress.sent(count)
                pieces += 1
                guard isBody else { continue }
                link?.sent(count, at: now)
                if delivery.slice != nil { context.flush() }
            case .wait(let due):
                context.flush()
                return schedule(in: due - elapsed) { $0.pump() }
            case .end(let ending):
                guard head != nil else { return end(ending) }
                start = beginBody()
            }
        }
        context.flush()
        // If the socket is full, the handler calls `pump` when the socket is writable again.
        if context.channel.isWritable { schedule(in: .zero) { $0.pump() } }
    }

    /// Stops the writer. The writer writes and reports nothing more, except the result of a write that has begun.
    func cancel() {
        isOver = true
        timer?.cancel()
    }

    /// Writes the head, or takes it from the encoder and writes it in pieces.
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

    /// Writes bytes of the head or the body, and returns their number; `nil` if there are no bytes.
    private func send(from offset: Int, limit: Int) -> Int? {
        let read = head?.read ?? delivery.body.read
        guard let piece = read(offset, limit) else { return nil }
        if head != nil { lastWrite = gate.send(piece) } else { write(.body(.byteBuffer(piece))) }
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
        case .broken(let options):
            context.flush()
            // A close discards bytes that are still queued. The writer therefore waits until the kernel has the last
            // byte. If a write fails, the connection has ended, and its handler is called.
            lastWrite?.assumeIsolated().whenSuccess { self.breakOff(options) }
        }
    }

    private func breakOff(_ options: Cut.ReplyOptions) {
        guard options != .stall else { return report(.stalled) }
        report(.breaking)
        if options == .reset {
            // With a linger time of zero, close sends RST instead of FIN (socket(7)).
            let abortively = linger(l_onoff: 1, l_linger: 0)
            _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(abortively)
        }
        context.close(promise: nil)
    }

    private func write(_ part: HTTPServerResponsePart) { lastWrite = context.write(Self.wrap(part)) }

    private func schedule(in delay: Duration, _ task: @escaping (DeliveryWriter) -> Void) {
        timer = timers.schedule(on: context.eventLoop, in: delay) { [self] in
            guard !isOver else { return }
            task(self)
        }
    }

    private static func wrap(_ part: HTTPServerResponsePart) -> NIOAny { OriginConnectionHandler.wrapOutboundOut(part) }
}
