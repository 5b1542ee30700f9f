import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// A connection that sends exactly the given bytes, and returns exactly the received bytes.
struct RawConnection {
    enum Place: Sendable {
        case tcp(Int)
        /// TCP with TLS, which offers one protocol by ALPN. The certificate of the server is not verified.
        case tls(Int, protocol: String = "http/1.1")
        case socket(String)
    }

    struct EndedEarly: Error {
        var received: String
    }

    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private var unread = ByteBuffer()

    /// Connects, and closes the connection when `body` has ended.
    static func open<Result: Sendable>(
        to place: Place, _ body: (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
        let initializer: @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = {
            channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls = try Self.tls(place) { try channel.pipeline.syncOperations.addHandler(tls) }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
            }
        }
        let channel =
            switch place {
            case .tcp(let port), .tls(let port, _):
                try await bootstrap.connect(host: "127.0.0.1", port: port, channelInitializer: initializer)
            case .socket(let path):
                try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: initializer)
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(
                channel: channel.channel, outbound: outbound, inbound: inbound.makeAsyncIterator())
            return try await body(&connection)
        }
    }

    /// Returns the handler of TLS; `nil` if the connection does not use TLS.
    private static func tls(_ place: Place) throws -> NIOSSLClientHandler? {
        guard case .tls(_, let name) = place else { return nil }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = [name]
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: "localhost")
    }

    func send(_ text: String) async throws { try await outbound.write(ByteBuffer(string: text)) }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Returns the next bytes.
    mutating func read(_ count: Int) async throws -> [UInt8] {
        while unread.readableBytes < count {
            guard try await receive() else {
                throw EndedEarly(received: String(decoding: unread.readableBytesView, as: UTF8.self))
            }
        }
        return unread.readBytes(length: count) ?? []
    }

    /// Closes the sending half only.
    func finishSending() { outbound.finish() }

    func close() async throws { try await channel.close() }

    /// Returns the received bytes up to and including a mark.
    mutating func read(through mark: String) async throws -> String {
        while true {
            let text = String(decoding: unread.readableBytesView, as: UTF8.self)
            if let range = text.firstRange(of: mark) {
                let found = String(text[..<range.upperBound])
                unread.moveReaderIndex(forwardBy: found.utf8.count)
                return found
            }
            guard try await receive() else { throw EndedEarly(received: text) }
        }
    }

    /// Returns all bytes that are received until the connection ends, also with an error.
    mutating func readToEnd() async -> String {
        while (try? await receive()) == true {}
        return String(decoding: unread.readableBytesView, as: UTF8.self)
    }

    /// Reads one response with a `Content-Length`, or without a body. The connection stays open.
    ///
    /// - Parameter toHead: Whether the response has no body, whatever its length says.
    mutating func readAnswer(toHead: Bool = false) async throws -> RawAnswer {
        var answer = RawAnswer(head: try await read(through: "\r\n\r\n"))
        let length = toHead ? 0 : answer["content-length"].flatMap { Int($0) } ?? 0
        while unread.readableBytes < length {
            guard try await receive() else { throw EndedEarly(received: answer.head) }
        }
        answer.body = unread.readString(length: length) ?? ""
        return answer
    }

    private mutating func receive() async throws -> Bool {
        guard var part = try await inbound.next(isolation: #isolation) else { return false }
        unread.writeBuffer(&part)
        return true
    }
}
