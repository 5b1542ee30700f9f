import NIOCore
import NIOHTTP1

/// A count of the bytes of an HTTP/1.1 connection and of its bodies, which finds input that belongs to no request. The
/// type does no I/O.
///
/// The decoder discards extensions of chunks (RFC 9112 §7.1.1) and empty lines before a request. It limits neither.
struct InputBytes {
    /// The number of bytes that a request may have in addition to its body: its head, and the framing of its chunks.
    static let most = 64 << 10

    private var received = 0
    private var bodies = 0

    /// Adds received bytes, after they were decoded, and returns whether the connection may continue.
    mutating func add(_ count: Int) -> Bool {
        received += count
        // A chunk of a body has less framing than content on average (``BodyChunks``).
        return received <= Self.most + 2 * bodies
    }

    mutating func addBody(_ count: Int) { bodies += count }

    mutating func beginRequest() { self = InputBytes() }
}

/// The transfer codings of a body (RFC 9112 §7).
enum TransferCoding {
    /// Whether the field names the one coding that the server reads.
    static func isChunkedAlone(_ field: some StringProtocol) -> Bool {
        field.lowercased().split { $0 == " " || $0 == "\t" } == ["chunked"]
    }
}

/// A channel handler before the HTTP decoder. The handler ends connections whose input belongs to no request. After an
/// error of the decoder, it reads and discards the rest of the input.
///
/// Without this handler, a connection is not read after an error. It then stays open until the idle limit, also if its
/// client has closed it.
final class InputGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    var bytes = InputBytes()
    private(set) var isDiscarding = false

    func discard() { isDiscarding = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding else { return }
        let count = unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        if !bytes.add(count), !isDiscarding { context.fireErrorCaught(HTTPParserError.invalidChunkSize) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if isDiscarding { context.read() }
    }
}
