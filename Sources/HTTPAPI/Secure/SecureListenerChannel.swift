import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOHTTP2
import NIOSSL
import Primitives

/// A channel with TLS, which the client and the server use for HTTP/2 or for HTTP/1.1 by ALPN. A client without ALPN
/// uses HTTP/1.1.
struct SecureListenerChannel: ServerChildChannel {
    typealias Negotiation = EventLoopFuture<NIONegotiatedHTTPVersion<ListenerChannel.Value, HTTP2Channel.Value>>

    struct Value: ServerChildChannelValue {
        let negotiation: Negotiation
        let channel: any Channel
    }

    let plain: ListenerChannel
    let certificate: ServerCertificate
    private let http2: HTTP2Channel

    init(_ plain: ListenerChannel, certificate: ServerCertificate) {
        self.plain = plain
        self.certificate = certificate
        let (access, exchange, settings) = (plain.access, plain.exchange, plain.settings)
        http2 = HTTP2Channel(
            responder: { request, writer, channel in
                let connection = try await channel.pipeline.handler(type: StreamHandler.self)
                    .flatMapThrowing { try $0.connection }.get()
                try await exchange.respond(to: request, over: connection, by: access, with: writer)
            },
            configuration: .init(
                idleTimeout: settings.idleLimit,
                gracefulCloseTimeout: settings.writeLimit,
                streamConfiguration: .init(
                    additionalChannelHandlers: [StreamHandler(writeLimit: settings.writeLimit)],
                    idleTimeout: TimeAmount(settings.idleLimit))))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        // A client that does not end its handshake would keep a place forever.
        let alarm = channel.eventLoop.scheduleTask(in: TimeAmount(plain.settings.handshakeLimit)) {
            channel.close(promise: nil)
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap {
            channel.configureHTTP2AsyncSecureUpgrade { channel in
                plain.setup(channel: channel, logger: logger)
            } http2ConnectionInitializer: { channel in
                http2.setup(channel: channel, logger: logger)
            }
        }.map { negotiation in
            negotiation.whenComplete { _ in alarm.cancel() }
            return Value(negotiation: negotiation, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch try? await value.negotiation.get() {
        case .http1_1(let http1): await plain.handle(value: http1, logger: logger)
        case .http2(let connection): await http2.handle(value: connection, logger: logger)
        case nil: value.channel.close(promise: nil)
        }
    }
}
