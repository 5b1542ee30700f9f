import Base
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A channel with Hummingbird's HTTP/1.1 handlers and a ``Connection`` for each client.
struct ListenerChannel: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let connection: Connection
        let opening: OpeningConnection
        var channel: any Channel { http.channel }
    }

    let access: AccessRule
    let settings: HTTPServerSettings
    let exchange: HTTPExchange
    /// Whether the connections use TLS.
    var isSecure = false

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard let conduct = conduct(of: channel) else { return Self.refuse(channel) }
        return setup(channel, conduct, opening(channel), logger)
    }

    func opening(_ channel: any Channel) -> OpeningConnection {
        OpeningConnection(channel, until: exchange.streams.draining)
    }

    /// Returns the conduct of a new connection; `nil` if its address may not open a connection now.
    ///
    /// Only callers with tokens come from other machines.
    func conduct(of channel: any Channel) -> ConnectionConduct? {
        guard case .token = access else { return ConnectionConduct(of: channel, penalties: nil) }
        return ConnectionConduct(of: channel, penalties: exchange.penalties)
    }

    /// Closes a new connection. A failed future alone leaves it open.
    static func refuse<Value>(_ channel: any Channel) -> EventLoopFuture<Value> {
        channel.close(promise: nil)
        return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
    }

    func setup(
        _ channel: any Channel, _ conduct: ConnectionConduct, _ opening: OpeningConnection, _ logger: Logger
    ) -> EventLoopFuture<Value> {
        let http1 = HTTP1Channel(responder: { _, _, _ in }, configuration: configuration)
        return http1.setup(channel: channel, logger: logger)
            .and(PeerCredentials.read(from: channel))
            .flatMapThrowing { http, peer in
                let connection = Connection(channel: channel, peer: peer, gone: AsyncEvent(), isSecure: isSecure)
                try Self.limitReads(of: channel)
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                let input = InputGuard()
                try pipeline.addHandler(input, position: .before(decoder))
                let downloads = HotDownloadHandler(exchange: exchange, connection: connection, conduct: conduct)
                if access.servesMedia {
                    let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
                    try pipeline.addHandler(downloads, position: .before(encoder))
                }
                try pipeline.addHandler(
                    ConnectionHandler(
                        connection: connection, input: input, conduct: conduct, writeLimit: settings.writeLimit,
                        downloads: downloads),
                    position: .after(decoder))
                return Value(http: http, connection: connection, opening: opening)
            }
    }

    func handle(value: Value, logger: Logger) async {
        value.opening.serve()
        let http1 = HTTP1Channel(
            responder: { request, writer, _ in
                try await exchange.respond(
                    to: request, over: value.connection, by: access, with: writer)
            }, configuration: configuration)
        await http1.handle(value: value.http, logger: logger)
    }

    /// Limits the bytes that are read in one turn of the event loop, so that no connection delays the others. By default, a
    /// turn reads 256 KiB: 26,000 frames of HTTP/2 with a byte each, which take some 100 ms.
    static func limitReads(of channel: any Channel) throws {
        try channel.syncOptions?.setOption(.recvAllocator, value: readBuffers)
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }

    /// The sizes of read buffers. Up to five full buffers wait for a body that is not read. With NIO's default of 64
    /// KiB they would take about 300 KiB for each connection. With that default, 464 unfinished bodies of 3.9 MiB took
    /// 302 MiB of private memory (`make chaos ONLY=bodies`).
    private static let readBuffers = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: 16 << 10)

    private var configuration: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            idleTimeout: TimeAmount(settings.idleLimit),
            // A head contains a path, a key and a few fields. Hummingbird answers a longer head with an empty 400.
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))
    }
}
