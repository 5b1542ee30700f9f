import NIOCore
import NIOHTTP1
import NIOSSL
import Primitives

/// The handlers of one connection, in the order from the socket up.
enum ConnectionPipeline {
    /// The largest size of the request line and the headers together, without the separators between them, in bytes.
    static let longestHead = 16 * 1024
    private static let mostFields = 100

    /// Adds the handlers to a channel. This function must be called on the channel's event loop.
    ///
    /// - Parameter secure: The TLS settings, with which connections may also be secure; `nil` for plain HTTP only.
    static func configure(
        _ channel: any Channel, planner: ReplyPlanner, state: CurrentValue<OriginCounts>,
        timers: OriginTimers = .eventLoop, link: NetworkLink? = nil, secure: NIOSSLContext? = nil
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let link { try pipeline.addHandler(LinkHandler(link, timers: timers)) }
        if let secure { try pipeline.addHandler(ProtocolDetector(secure)) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = longestHead
        limits.maxHeaderFieldSize = longestHead
        limits.maxHeaderFieldCount = mostFields
        // The encoder must send the headers as they are planned. A corrected framing would remove some faults.
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        let gate = HeadGate()
        try pipeline.addHandlers([
            gate,
            HTTPResponseEncoder(configuration: encoding),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
            HTTPServerPipelineHandler(),
            OriginConnectionHandler(planner: planner, origin: state, gate: gate, timers: timers, link: link),
        ])
    }
}
