import NIOCore
import NIOHTTP1
import NotificationModel

/// Watches a connection between the HTTP decoder and Hummingbird: says when the client leaves, closes on clients that
/// take nothing, and mends heads that Hummingbird would read otherwise than RFC 9112 does.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let connection: Connection
    private let writeLimit: Duration
    private var stall: Scheduled<Void>?

    init(connection: Connection, writeLimit: Duration) {
        self.connection = connection
        self.writeLimit = writeLimit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            // The end has to arrive; what is before it would only be carried to somebody who drops it.
            if connection.dropsBody, case .body = unwrapInboundIn(data) { return }
            return context.fireChannelRead(data)
        }
        head.resolveTarget()
        let tokens = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        let isOld = head.version != .http1_1
        if isOld { connection.speaksOldHTTP = true }
        if tokens.contains("close") || isOld {
            // Hummingbird knows this one spelling, and no version. An old client that asks to keep the connection is
            // closed on all the same: it must be told so by a field, which it is.
            head.headers.replaceOrAdd(name: "connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { connection.gone.signal() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = context.channel.isWritable ? nil : connection.close(after: writeLimit)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.gone.signal()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stall?.cancel()
        connection.gone.signal()
    }
}
