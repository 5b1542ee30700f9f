import Base
import HTTPTypes
import NIOCore
import NIOHTTPTypes

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
    private var chunks = BodyChunks(ofRequestFor: "")
    private var opened: Connection?

    private let refusals: RefusalCount

    /// - Parameter refusals: The refused calls of the connection.
    init(conduct: ConnectionConduct, writeLimit: Duration, refusals: RefusalCount) {
        self.conduct = conduct
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
            channel: context.channel, peer: nil, gone: AsyncEvent(), isSecure: true, isStream: true, refusals: refusals)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(var head):
            conduct.beginRequest()
            chunks = BodyChunks(ofRequestFor: head.path ?? "")
            head.mergeHost()
            return context.fireChannelRead(wrapInboundOut(.head(head)))
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
        watchWrites(of: context.channel)
        context.fireChannelWritabilityChanged()
    }

    /// Schedules the closing of a channel whose client reads nothing, unless the client still sends its body.
    private func watchWrites(of channel: any Channel) {
        stall?.cancel()
        let isExpected = !channel.isWritable && opened?.isReceiving != true
        stall = isExpected ? opened?.close(after: writeLimit) : nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Connection.BodyHasArrived { watchWrites(of: context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes the stream of a client whose window has no space for the end of a response. A small response fits into the
    /// buffer of the stream, which then stays writable.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data), let alarm = opened?.close(after: writeLimit) else {
            return context.write(data, promise: promise)
        }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { [held = opened?.takeHeld()] _ in
            alarm.cancel()
            withExtendedLifetime(held) {}
        }
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
