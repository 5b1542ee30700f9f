import NIOCore

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
