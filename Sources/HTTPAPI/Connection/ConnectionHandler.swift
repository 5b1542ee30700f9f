import NIOCore
import NIOHTTP1
import NotificationModel

/// Watches a connection between the HTTP decoder and Hummingbird: says when the client leaves, closes on clients that
/// take nothing, and mends heads that Hummingbird would read otherwise than RFC 9112 does.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Chunks of a body that may all be small. A chunk of one byte takes six bytes of the client's, and a hundred times the
    /// work of a byte in a large chunk: 16 callers with such bodies made others 1.2 s late.
    static let mostSmallChunks = 256
    /// Bytes that further chunks have on average.
    static let smallChunk = 32

    private let connection: Connection
    private let writeLimit: Duration
    private var stall: Scheduled<Void>?
    /// The chunks of the body of the current request, and their bytes; `nil` if the body has a length.
    private var chunks: (count: Int, bytes: Int)?

    init(connection: Connection, writeLimit: Duration) {
        self.connection = connection
        self.writeLimit = writeLimit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            if case .body(let bytes) = unwrapInboundIn(data) {
                // The body has to be read to its end. The parts before the end are dropped here.
                guard !connection.dropsBody, !closes(afterChunk: bytes.readableBytes, context) else { return }
            }
            return context.fireChannelRead(data)
        }
        chunks = head.headers.contains(name: "transfer-encoding") ? (0, 0) : nil
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

    /// Closes the connection if a body has too many small chunks.
    private func closes(afterChunk count: Int, _ context: ChannelHandlerContext) -> Bool {
        guard let earlier = chunks else { return false }
        let chunks = (count: earlier.count + 1, bytes: earlier.bytes + count)
        self.chunks = chunks
        guard chunks.count > Self.mostSmallChunks, chunks.bytes < chunks.count * Self.smallChunk else { return false }
        context.close(promise: nil)
        return true
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
