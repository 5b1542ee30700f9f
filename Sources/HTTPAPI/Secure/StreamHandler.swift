import NIOCore
import NIOHTTPTypes
import Primitives

/// A channel handler of one HTTP/2 stream. The handler signals a disconnected client, and closes streams of clients
/// that read nothing, or that send a body in too many small frames.
final class StreamHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let conduct: ConnectionConduct
    private let writeLimit: Duration
    private var stall: Scheduled<Void>?
    private var chunks = BodyChunks()
    private var opened: Connection?

    init(conduct: ConnectionConduct, writeLimit: Duration) {
        self.conduct = conduct
        self.writeLimit = writeLimit
    }

    /// The state of the stream, which exists from its first byte on.
    var connection: Connection {
        get throws {
            guard let opened else { throw ChannelError.ioOnClosedChannel }
            return opened
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        opened = Connection(channel: context.channel, peer: nil, gone: AsyncEvent(), isStream: true)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: conduct.beginRequest()
        case .body(let bytes):
            guard chunks.add(bytes.readableBytes) else {
                conduct.violate()
                return context.close(promise: nil)
            }
        case .end: opened?.bodyHasEnded = true
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = context.channel.isWritable ? nil : opened?.close(after: writeLimit)
        context.fireChannelWritabilityChanged()
    }

    /// Closes the stream of a client whose window has no space for the end of a response. A small response fits into the
    /// buffer of the stream, which then stays writable.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), let alarm = opened?.close(after: writeLimit) else {
            return context.write(data, promise: promise)
        }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in alarm.cancel() }
        context.write(data, promise: written)
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
