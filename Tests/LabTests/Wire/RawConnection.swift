import Glibc
import NIOCore
import NIOPosix

/// A TCP connection to the origin that shows the exact bytes and the way in which the connection ended.
struct RawConnection {
    enum End: Equatable {
        /// The peer closed the connection in order (FIN).
        case closed
        /// The peer reset the connection (RST).
        case reset
    }

    struct EndedEarly: Error {
        var received: Int
    }

    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var unread = ByteBuffer()

    /// Connects, and closes the connection when `body` returns.
    static func open<Result: Sendable>(
        to port: Int, _ body: (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&connection)
        }
    }

    /// Connects and closes at once. The kernel accepts the connection, even if the origin does not.
    static func openAndGiveUp(to port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        defer { close(descriptor) }
        try SocketAddress(ipAddress: "127.0.0.1", port: port).withSockAddr { address, size in
            guard unsafe connect(descriptor, address, socklen_t(size)) == 0 else {
                throw IOError(errnoCode: errno, reason: "connect")
            }
        }
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func get(_ target: String, _ fields: String = "") async throws {
        try await send("GET \(target) HTTP/1.1\r\nHost: lab\r\n\(fields)\r\n")
    }

    /// Returns the next `count` bytes.
    mutating func read(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count { try await receive() }
        return unread.readBytes(length: count) ?? []
    }

    /// Returns the head of a response, up to its empty line.
    mutating func readHead() async throws -> WireHead {
        while true {
            if let end = unread.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = unread.readString(length: end.lowerBound - unread.readerIndex) ?? ""
                unread.moveReaderIndex(forwardBy: end.count)
                return WireHead(parsing: head[...])
            }
            try await receive()
        }
    }

    /// Returns all bytes until the connection ends, and the way in which it ended.
    mutating func readToEnd() async throws -> (bytes: [UInt8], end: End) {
        do {
            while var part = try await inbound.next(isolation: #isolation) { unread.writeBuffer(&part) }
            return (Array(buffer: unread), .closed)
        } catch let error as IOError where error.errnoCode == ECONNRESET {
            return (Array(buffer: unread), .reset)
        }
    }

    private mutating func receive() async throws {
        guard var part = try await inbound.next(isolation: #isolation) else {
            throw EndedEarly(received: unread.readableBytes)
        }
        unread.writeBuffer(&part)
    }
}
