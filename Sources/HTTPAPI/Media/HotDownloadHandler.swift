import NIOCore
import Primitives

/// A channel handler before the HTTP decoder that answers downloads of files in memory. Such a response takes a fifth of
/// the processor time of a response by ``HTTPExchange``, which passes through the decoder, a task of its own and the
/// encoder (`daemon-bench`, `downloads`).
///
/// The handler answers a ``PlainRequest`` for a whole file, and only if no other request of the connection is unfinished,
/// so that responses keep their order. It passes on all other reads. After a read that is no plain request, it passes
/// on everything, because the decoder may have the beginning of a request. One request in each half of the idle limit is
/// passed on too, because the connection is otherwise closed as idle.
final class HotDownloadHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let exchange: HTTPExchange
    private let connection: Connection
    private let conduct: ConnectionConduct
    /// The time after which a request is passed on, so that the connection is not closed as idle.
    private let longestAbsence: Duration
    private var passesAll = false
    /// The number of requests that ``HTTPExchange`` has not answered yet.
    private var unfinished = 0
    private var lastPassedOn: MonotonicInstant

    init(exchange: HTTPExchange, connection: Connection, conduct: ConnectionConduct) {
        self.exchange = exchange
        self.connection = connection
        self.conduct = conduct
        longestAbsence = exchange.settings.idleLimit / 2
        lastPassedOn = exchange.clock.now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !passesAll else { return context.fireChannelRead(data) }
        let request = PlainRequest(unwrapInboundIn(data).readableBytesView)
        let now = exchange.clock.now
        if let request, request.isForWhole, unfinished == 0, context.channel.isWritable,
            lastPassedOn.duration(to: now) < longestAbsence,
            let download = exchange.preparedDownload(of: request.target, over: connection, at: now)
        {
            conduct.beginRequest()
            context.write(wrapOutboundOut(download.head), promise: nil)
            return context.writeAndFlush(wrapOutboundOut(download.body), promise: nil)
        }
        passesAll = request == nil
        unfinished += 1
        lastPassedOn = now
        context.fireChannelRead(data)
    }

    /// Notes that ``HTTPExchange`` has answered a request.
    func noteAnswer() { unfinished -= 1 }
}
