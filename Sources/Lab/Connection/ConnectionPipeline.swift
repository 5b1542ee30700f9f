import NIOCore
import NIOHTTP1
import Primitives

/// The handlers of one connection, in the order from the socket up.
enum ConnectionPipeline {
    /// The largest size of the request line and the headers together, without the separators between them, in bytes.
    static let longestHead = 16 * 1024
    private static let mostFields = 100

    /// Adds the handlers to a channel. This function must be called on the channel's event loop.
    static func configure(_ channel: any Channel, planner: ReplyPlanner, state: CurrentValue<OriginCounts>) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = longestHead
        limits.maxHeaderFieldSize = longestHead
        limits.maxHeaderFieldCount = mostFields
        // The encoder must send the headers as they are planned. A corrected framing would remove some faults.
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        let gate = HeadGate()
        try channel.pipeline.syncOperations.addHandlers([
            gate,
            HTTPResponseEncoder(configuration: encoding),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
            HTTPServerPipelineHandler(),
            OriginConnectionHandler(planner: planner, origin: state, gate: gate),
        ])
    }
}
