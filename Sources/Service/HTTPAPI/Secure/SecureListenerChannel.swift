import Base
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2
import NIOSSL

/// A channel with TLS, which the client and the server use for HTTP/2 or for HTTP/1.1 by ALPN. A client without ALPN
/// uses HTTP/1.1.
struct SecureListenerChannel: ServerChildChannel {
    typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<HTTP1Channel.Value>

    /// An HTTP/2 connection with its streams.
    struct Multiplexed: Sendable {
        let streams: Streams
        let watch: StreamWatch
        let opening: OpeningConnection
    }

    struct Value: ServerChildChannelValue {
        let negotiation: EventLoopFuture<NIONegotiatedHTTPVersion<ListenerChannel.Value, Multiplexed>>
        let channel: any Channel
    }

    /// The channel after the handshake of a client that uses HTTP/1.1.
    let plain: ListenerChannel
    let certificate: ServerCertificate
    private let openStreams: OpenStreams

    init(plain: ListenerChannel, certificate: ServerCertificate) {
        self.plain = plain
        self.certificate = certificate
        openStreams = OpenStreams(most: plain.settings.maxStreams)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        guard let conduct = plain.conduct(of: channel) else { return ListenerChannel.refuse(channel) }
        let opening = plain.opening(channel)
        // A client that does not end its handshake would keep a place forever.
        let alarm = channel.eventLoop.scheduleTask(in: TimeAmount(plain.settings.handshakeLimit)) {
            channel.close(promise: nil)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap {
            channel.configureHTTP2AsyncSecureUpgrade { channel in
                plain.setup(channel, conduct, opening, logger)
            } http2ConnectionInitializer: { channel in
                multiplexed(channel, conduct, opening)
            }
        }.map { negotiation in
            negotiation.whenComplete { _ in alarm.cancel() }
            return Value(negotiation: negotiation, channel: channel)
        }
    }

    private func multiplexed(
        _ channel: any Channel, _ conduct: ConnectionConduct, _ opening: OpeningConnection
    ) -> EventLoopFuture<Multiplexed> {
        let (watch, writeLimit) = (StreamWatch(channel, idleLimit: plain.settings.idleLimit), plain.settings.writeLimit)
        let refusals = RefusalCount { watch.end() }
        var configuration = NIOHTTP2Handler.Configuration()
        // A client that reads nothing can let this number of acknowledgements wait, of 17 bytes or fewer each.
        configuration.connection.maximumBufferedControlFrames = 1_000
        return channel.eventLoop.makeCompletedFuture {
            try ListenerChannel.limitReads(of: channel)
            try channel.pipeline.syncOperations.addHandler(FrameGuard(conduct: conduct))
            let streams: Streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .server, streamDelegate: watch, configuration: configuration
            ) { stream in
                // The pipeline of the stream is empty, so it takes the frame itself.
                if !openStreams.add(stream) {
                    stream.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.refusedStream), promise: nil)
                }
                return stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    try stream.pipeline.syncOperations.addHandler(
                        StreamHandler(conduct: conduct, writeLimit: writeLimit, refusals: refusals))
                    return try HTTP1Channel.Value(
                        wrappingChannelSynchronously: stream, configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
            return Multiplexed(streams: streams, watch: watch, opening: opening)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.negotiation.get() {
        case .http1_1(let http1): await plain.handle(value: http1, logger: logger)
        case .http2(let connection): await handle(connection, logger)
        case nil: value.channel.close(promise: nil)
        }
    }

    private func handle(_ connection: Multiplexed, _ logger: Logger) async {
        let draining = plain.exchange.streams.draining
        let drain = draining.whenSignalled { connection.watch.drain() }
        defer { draining.forget(drain) }
        connection.opening.serve()
        let stream = HTTP1Channel(responder: { request, writer, channel in
            let connection = try await channel.pipeline.handler(type: StreamHandler.self)
                .flatMapThrowing { try $0.connection }.get()
            try await plain.exchange.respond(to: request, over: connection, by: plain.access, with: writer)
        })
        try? await withThrowingDiscardingTaskGroup { group in
            for try await opened in connection.streams.inbound {
                group.addTask { await stream.handleHTTP(asyncChannel: opened, logger: logger) }
            }
        }
    }
}
