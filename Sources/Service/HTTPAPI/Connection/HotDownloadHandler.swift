import Base
import NIOCore

/// A channel handler before the HTTP decoder that answers downloads of files in memory. Such a response takes a fifth of
/// the processor time of a response by ``HTTPExchange``, which passes through the decoder, a task of its own and the
/// encoder (`daemon-bench`, `downloads`).
///
/// The handler answers a ``PlainRequest`` for a whole file, and only if no other request of the connection is unfinished,
/// so that responses keep their order. It passes on all other reads. After a read that is no plain request, it passes
/// on everything, because the decoder may have the beginning of a request. One request in each tenth of the idle limit is
/// passed on too, because the timer of the idle limit does not see the other ones.
final class HotDownloadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let exchange: HTTPExchange
    private let connection: Connection
    private let conduct: ConnectionConduct
    /// The time after which the next request is passed on, for the timer of the idle limit.
    private let passingInterval: Duration
    private var lastPassedOn: MonotonicInstant
    /// Whether the decoder may have the beginning of a request, so that all reads are passed on.
    private var belongsToDecoder = false
    /// The number of requests that were passed on and have no response yet. It is not counted any more when all reads are
    /// passed on.
    private var unanswered = 0

    init(exchange: HTTPExchange, connection: Connection, conduct: ConnectionConduct) {
        self.exchange = exchange
        self.connection = connection
        self.conduct = conduct
        passingInterval = exchange.settings.idleLimit / 10
        lastPassedOn = exchange.clock.now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !belongsToDecoder else { return context.fireChannelRead(data) }
        let request = PlainRequest(unwrapInboundIn(data).readableBytesView)
        let now = exchange.clock.now
        if let request, request.isForWhole, unanswered == 0, context.channel.isWritable,
            lastPassedOn.duration(to: now) < passingInterval,
            let download = exchange.preparedDownload(of: request.target, over: connection, at: now)
        {
            conduct.beginRequest()
            context.write(wrapOutboundOut(download.head), promise: nil)
            return context.writeAndFlush(wrapOutboundOut(download.body), promise: nil)
        }
        belongsToDecoder = request == nil
        unanswered += 1
        lastPassedOn = now
        context.fireChannelRead(data)
    }

    /// Notes that ``HTTPExchange`` has answered a request.
    func noteAnswer() { if !belongsToDecoder { unanswered -= 1 } }
}
