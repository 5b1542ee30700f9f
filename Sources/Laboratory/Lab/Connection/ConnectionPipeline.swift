import Base
import NIOCore
import NIOHTTP1
import NIOSSL

/// The handlers of one connection, in the order from the socket up.
enum ConnectionPipeline {
    /// The largest size of the request line and the headers together, without the separators between them, in bytes.
    static let maxHead = 16 * 1024
    private static let maxFields = 100

    /// Adds the handlers to a channel. This function must be called on the channel's event loop.
    ///
    /// - Parameter secure: The TLS settings, with which connections may also be secure; `nil` for plain HTTP only.
    static func configure(
        _ channel: any Channel, planner: ReplyPlanner, state: CurrentValue<OriginCounts>,
        timers: OriginTimers = .eventLoop, link: NetworkLink? = nil, secure: NIOSSLContext? = nil
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let link { try pipeline.addHandler(LinkHandler(link, timers: timers)) }
        if let secure { try pipeline.addHandler(ProtocolDetector(secure)) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = maxHead
        limits.maxHeaderFieldSize = maxHead
        limits.maxHeaderFieldCount = maxFields
        // The encoder must send the headers as they are planned. A corrected framing would remove some faults.
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        let gate = HeadGate()
        try pipeline.addHandlers([
            gate,
            HTTPResponseEncoder(configuration: encoding),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
            HTTPServerPipelineHandler(),
            OriginConnectionHandler(planner: planner, origin: state, gate: gate, timers: timers, link: link),
        ])
    }
}

/// The first handler of a connection to an origin that serves both HTTP and HTTPS on one port. The first byte of a TLS
/// handshake is 22 (RFC 8446, section 5.1), and no method of HTTP begins with it.
final class ProtocolDetector: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let handshake: UInt8 = 22
    private let secure: NIOSSLContext
    private var isDetected = false

    init(_ secure: NIOSSLContext) { self.secure = secure }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Self.unwrapInboundIn(data)
        if !isDetected, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) {
            isDetected = true
            if first == Self.handshake {
                let pipeline = context.pipeline.syncOperations
                let position = (try? pipeline.context(handler: self).handler).map(
                    ChannelPipeline.SynchronousOperations.Position.after)
                do { try pipeline.addHandler(NIOSSLServerHandler(context: secure), position: position ?? .first) } catch
                {
                    return context.close(promise: nil)
                }
            }
        }
        context.fireChannelRead(Self.wrapInboundOut(bytes))
    }
}

/// A handler between the encoder and the socket. The handler can hold back the bytes of a response's head, so that a
/// writer can send them in pieces.
final class HeadGate: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var isHolding = false
    private var head: ByteBuffer?
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Holds back the bytes that the function `write` writes, and returns them; `nil` if it writes no bytes.
    func hold(during write: () -> Void) -> ByteBuffer? {
        isHolding = true
        defer { (isHolding, head) = (false, nil) }
        write()
        return head
    }

    /// Writes bytes that do not pass through the encoder.
    func send(_ bytes: ByteBuffer) -> EventLoopFuture<Void>? {
        context?.write(Self.wrapOutboundOut(.byteBuffer(bytes)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isHolding, case .byteBuffer(var bytes) = Self.unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        if head == nil { head = bytes } else { head?.writeBuffer(&bytes) }
        promise?.succeed()
    }
}
