import NIOCore
import NIOSSL

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
