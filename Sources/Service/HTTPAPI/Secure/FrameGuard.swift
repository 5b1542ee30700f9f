import NIOCore
import NIOHTTP2

/// A reader of the heads of HTTP/2 frames (RFC 9113 §4.1) in a stream of bytes. The type does no I/O.
struct FrameHeads {
    private static let length = 9

    /// The number of bytes before the next head.
    private var skipped: Int
    /// The number of bytes of the current head that were read.
    private var position = 0
    private var payload = 0
    private var kind: UInt8 = 0

    /// - Parameter preface: The number of bytes before the first frame.
    init(preface: Int) { skipped = preface }

    /// Calls a function with the type of each frame whose head ends in some bytes, and with the bytes after the head.
    mutating func read(_ bytes: ByteBufferView, _ body: (UInt8, ByteBufferView) -> Void) {
        var rest = bytes
        while let byte = rest.first {
            guard skipped == 0 else {
                let step = min(skipped, rest.count)
                rest = rest.dropFirst(step)
                skipped -= step
                continue
            }
            switch position {
            case 0: payload = Int(byte)
            case 1, 2: payload = payload << 8 | Int(byte)
            case 3: kind = byte
            default: break
            }
            rest = rest.dropFirst()
            position += 1
            guard position == Self.length else { continue }
            (position, skipped) = (0, payload)
            body(kind, rest)
        }
    }
}

/// A count of the HTTP/2 frames that belong to no request: GOAWAY, WINDOW_UPDATE, and frames of unknown types. The type
/// does no I/O. NIOHTTP2 limits the other types of frames.
///
/// Such a frame costs the client 9 to 13 bytes. A client that reads a response needs WINDOW_UPDATE frames for it, so the
/// limit grows with the sent bytes.
struct UnaskedFrames {
    /// The number of frames that each connection may receive.
    static let most = 1_000
    /// The number of sent bytes for which a connection may receive a further frame.
    static let bytesPerFrame = 64

    private static let windowUpdate: UInt8 = 8
    private static let continuation: UInt8 = 9

    private var count = 0
    private var sent = 0
    private var heads = FrameHeads(preface: 24)

    mutating func addSent(_ count: Int) { sent += count }

    /// Adds received bytes, and returns whether the connection may continue.
    mutating func add(_ bytes: ByteBufferView) -> Bool {
        var count = count
        heads.read(bytes) { kind, _ in
            if kind == FrameGuard.goAway || kind == Self.windowUpdate || kind > Self.continuation { count += 1 }
        }
        self.count = count
        return count <= Self.most + sent / Self.bytesPerFrame
    }
}

/// A channel handler between TLS and HTTP/2. The handler ends connections with too many frames that belong to no request,
/// connections to which NIOHTTP2 reports an error, and connections whose clients have closed their sending half. Such a
/// client can acknowledge and request nothing more.
final class FrameGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let goAway: UInt8 = 7

    private let conduct: ConnectionConduct
    private var received = UnaskedFrames()
    private var sent = FrameHeads(preface: 0)
    private var hasEnded = false

    init(conduct: ConnectionConduct) { self.conduct = conduct }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasEnded else { return }
        guard !received.add(unwrapInboundIn(data).readableBytesView) else { return context.fireChannelRead(data) }
        let farewell = HTTP2Frame(
            streamID: .rootStream,
            payload: .goAway(lastStreamID: .maxID, errorCode: .enhanceYourCalm, opaqueData: nil))
        context.channel.writeAndFlush(farewell, promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        received.addSent(bytes.readableBytes)
        var isError = false
        sent.read(bytes.readableBytesView) { kind, payload in
            // A payload has the last stream and the error code. Code 0 is the farewell of a daemon that ends.
            if kind == Self.goAway { isError = isError || payload.dropFirst(4).prefix(4).contains { $0 != 0 } }
        }
        context.write(data, promise: promise)
        if isError { end(context.channel) }
    }

    /// Ends a connection after an error, which NIOHTTP2 leaves open.
    private func end(_ channel: any Channel) {
        guard !hasEnded else { return }
        hasEnded = true
        conduct.violate()
        channel.eventLoop.execute {
            channel.flush()
            channel.close(promise: nil)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
