import Base
import NIOCore

/// The link that all connections of an origin share. It is used on the origin's event loop only.
///
/// The link delays the bytes of clients by one round trip, and the first bytes of a connection by one more, which stands
/// for the handshake of TCP. It limits the bytes of bodies, but not those of heads and of TLS records.
final class NetworkLink {
    let shape: LinkShape
    private let begin = NIODeadline.now()
    /// The instant at which the link has carried all bytes that were sent.
    private var freeAt = NIODeadline.now()
    private var connections = 0

    init(_ shape: LinkShape) { self.shape = shape }

    /// The largest piece of a body: 20 ms of the link, but at least the payload of one packet.
    var piece: Int { shape.bytesPerSecond.map { max(1_460, $0 / 50) } ?? .max }

    /// Counts a connection, and returns whether it carries bytes.
    func connect() -> Bool {
        connections += 1
        return connections > 1 || !shape.losesFirstConnection
    }

    /// Returns the time until the next piece may be sent; `nil` if it may be sent at once.
    func wait(at now: NIODeadline) -> Duration? {
        let start = max(now, freeAt)
        let wait = Duration(start - now) + shape.remainingOutage(at: Duration(start - begin))
        return wait > .zero ? wait : nil
    }

    func sent(_ count: Int, at now: NIODeadline) {
        guard let rate = shape.bytesPerSecond else { return }
        freeAt = max(now, freeAt) + .nanoseconds(Int64(count) * 1_000_000_000 / Int64(rate))
    }

    /// Returns the instant at which bytes arrive that a client sends now.
    func arrival(ofBytesSentAt now: NIODeadline, isFirst: Bool) -> NIODeadline {
        let start = now + TimeAmount(shape.remainingOutage(at: Duration(now - begin)))
        return start + TimeAmount(isFirst ? shape.latency + shape.latency : shape.latency)
    }
}

/// The handler next to the socket that delays the bytes of a client, or loses all of them.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let link: NetworkLink
    private let timers: OriginTimers
    private var carries = true
    private var isFirst = true
    private var isClosed = false
    private var lastArrival = NIODeadline.uptimeNanoseconds(0)

    init(_ link: NetworkLink, timers: OriginTimers) {
        self.link = link
        self.timers = timers
    }

    func channelActive(context: ChannelHandlerContext) {
        carries = link.connect()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard carries else { return }
        let bytes = Self.unwrapInboundIn(data)
        let now = NIODeadline.now()
        lastArrival = max(lastArrival, link.arrival(ofBytesSentAt: now, isFirst: isFirst))
        isFirst = false
        _ = timers.schedule(on: context.eventLoop, in: Duration(lastArrival - now)) { [self] in
            guard !isClosed else { return }
            context.fireChannelRead(Self.wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
    }

    /// The delayed reads report their ends themselves.
    func channelReadComplete(context: ChannelHandlerContext) {}
}
