import NIOCore
import NIOHTTPTypes
import Primitives

/// A channel handler of one HTTP/2 stream. The handler signals a disconnected client, and closes streams of clients
/// that read nothing, or that send a body in too many small frames.
final class StreamHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let writeLimit: Duration
    private var stall: Scheduled<Void>?
    private var chunks = BodyChunks()
    private var opened: Connection?

    private let refusals: RefusalCount

    /// - Parameter refusals: The refused calls of the connection.
    init(writeLimit: Duration, refusals: RefusalCount) {
        self.writeLimit = writeLimit
        self.refusals = refusals
    }

    /// The state of the stream, which exists from its first byte on.
    var connection: Connection {
        get throws {
            guard let opened else { throw ChannelError.ioOnClosedChannel }
            return opened
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        opened = Connection(
            channel: context.channel, peer: nil, gone: AsyncEvent(), isStream: true, refusals: refusals)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            head.mergeHost()
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let bytes):
            guard chunks.add(bytes.readableBytes) else { return context.close(promise: nil) }
        case .end: opened?.bodyHasEnded = true
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = context.channel.isWritable ? nil : opened?.close(after: writeLimit)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        opened?.gone.signal()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stall?.cancel()
        opened?.gone.signal()
    }
}
