import Base
import NIOCore
import NIOHTTP1

/// A channel handler between the HTTP decoder and Hummingbird. The handler signals a disconnected client, and closes
/// connections of clients that read nothing. It also changes request heads that Hummingbird would read differently from
/// RFC 9112.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: Connection
    private let input: InputGuard
    private let conduct: ConnectionConduct
    private let writeLimit: Duration
    private let downloads: HotDownloadHandler
    private var stall: Scheduled<Void>?
    /// The closing of the connection after an error of the decoder.
    private var farewell: Scheduled<Void>?
    /// The chunks of the current request's body; `nil` if the body has a length.
    private var chunks: BodyChunks?

    init(
        connection: Connection, input: InputGuard, conduct: ConnectionConduct, writeLimit: Duration,
        downloads: HotDownloadHandler
    ) {
        self.connection = connection
        self.input = input
        self.conduct = conduct
        self.writeLimit = writeLimit
        self.downloads = downloads
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        downloads.noteAnswer()
        guard let held = connection.takeHeld() else { return context.write(data, promise: promise) }
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in withExtendedLifetime(held) {} }
        context.write(data, promise: written)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            input.bytes.addBody(bytes.readableBytes)
            // The body has to be read to its end. The parts that arrive before its end are discarded here.
            guard !connection.dropsBody else { return }
            guard chunks?.add(bytes.readableBytes) != false else {
                conduct.violate()
                return context.close(promise: nil)
            }
            context.fireChannelRead(data)
        case .end:
            connection.bodyHasEnded = true
            context.fireChannelRead(data)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        var head = head
        connection.bodyHasEnded = false
        input.bytes.beginRequest()
        conduct.beginRequest()
        chunks = head.headers.contains(name: "transfer-encoding") ? BodyChunks(ofRequestFor: head.uri) : nil
        head.resolveTarget(isSecure: connection.isSecure)
        let tokens = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        let isOld = head.version != .http1_1
        if isOld { connection.speaksOldHTTP = true }
        let codings = head.headers[canonicalForm: "transfer-encoding"]
        // Such a request is refused. A proxy and this server may disagree about the end of its body, so the connection
        // ends (RFC 9112 §6.1).
        let hasOtherCoding = !codings.isEmpty && !TransferCoding.isChunkedAlone(codings.joined(separator: ","))
        if tokens.contains("close") || isOld || hasOtherCoding {
            // Hummingbird compares the field with this spelling only, and ignores the HTTP version. The connection of
            // an HTTP/1.0 client is closed even if the client asks to keep it open. The field `Connection: close` in
            // the response announces that.
            head.headers.replaceOrAdd(name: "connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { connection.gone.signal() }
        if event is Connection.BodyHasArrived { watchWrites(of: context.channel) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        watchWrites(of: context.channel)
        context.fireChannelWritabilityChanged()
    }

    /// Schedules the closing of a channel whose client reads nothing, unless the client still sends its body.
    private func watchWrites(of channel: any Channel) {
        stall?.cancel()
        let isExpected = !channel.isWritable && !connection.isReceiving
        stall = isExpected ? watch(channel, Self.waitingBytes(of: channel)) : nil
    }

    /// Closes a channel after the limit, unless its client has read some of the bytes that wait for it.
    private func watch(_ channel: any Channel, _ earlier: Int) -> Scheduled<Void> {
        let watching = NIOLoopBound(self, eventLoop: channel.eventLoop)
        return channel.eventLoop.scheduleTask(in: TimeAmount(writeLimit)) {
            let handler = watching.value
            let waiting = Self.waitingBytes(of: channel)
            guard !channel.isWritable else { return }
            guard waiting < earlier else { return channel.close(promise: nil) }
            handler.stall = handler.watch(channel, waiting)
        }
    }

    private static func waitingBytes(of channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? .max
    }

    /// Closes the connection soon after an error of the decoder. Its client can read the response until then.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, !input.isDiscarding {
            input.discard()
            // A client may disconnect in the middle of a request.
            if error != .invalidEOFState { conduct.violate() }
            farewell = connection.close(after: HTTPExchange.lingering)
        }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.gone.signal()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        stall?.cancel()
        farewell?.cancel()
        connection.gone.signal()
    }
}
