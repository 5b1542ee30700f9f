import NIOCore

/// Stands between the encoder and the socket, and keeps a response's head as bytes for who sends these piece by piece.
final class HeadGate: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var isHolding = false
    private var head: ByteBuffer?
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// The bytes that `write` writes, of which none goes on; `nil` where it writes nothing.
    func hold(during write: () -> Void) -> ByteBuffer? {
        isHolding = true
        defer { (isHolding, head) = (false, nil) }
        write()
        return head
    }

    /// Writes bytes that the encoder does not see.
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
