import NIOCore
import NIOHTTP1
import Primitives

/// A channel handler between the HTTP decoder and Hummingbird. The handler signals a disconnected client, and closes
/// connections of clients that read nothing. It also changes request heads that Hummingbird would read differently from
/// RFC 9112.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// The number of chunks of a body that may all be small. A chunk of one byte costs the client six bytes. For such a
    /// chunk, the daemon needs a hundred times the work that it needs for a byte in a large chunk. 16 callers with such
    /// bodies delayed other callers by 1.2 s.
    static let mostSmallChunks = 256
    /// The minimum average size of the chunks of a body with more than `mostSmallChunks` chunks, in bytes.
    static let smallChunk = 32

    private let connection: Connection
    private let writeLimit: Duration
    private var stall: Scheduled<Void>?
    /// The number of chunks of the current request's body, and their bytes; `nil` if the body has a length.
    private var chunks: (count: Int, bytes: Int)?

    init(connection: Connection, writeLimit: Duration) {
        self.connection = connection
        self.writeLimit = writeLimit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            if case .body(let bytes) = unwrapInboundIn(data) {
                // The body has to be read to its end. The parts that arrive before its end are discarded here.
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
            // Hummingbird compares the field with this spelling only, and ignores the HTTP version. The connection of
            // an HTTP/1.0 client is closed even if the client asks to keep it open. The field `Connection: close` in
            // the response announces that.
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
