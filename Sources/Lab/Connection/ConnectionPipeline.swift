import NIOCore
import NIOHTTP1

/// The handlers of one connection, from the socket up.
enum ConnectionPipeline {
    /// Request line and fields together, without the separators between them, in bytes.
    static let longestHead = 16 * 1024
    private static let mostFields = 100

    /// Called on the channel's event loop.
    static func configure(_ channel: any Channel, planner: ReplyPlanner, ledger: OriginLedger) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = longestHead
        limits.maxHeaderFieldSize = longestHead
        limits.maxHeaderFieldCount = mostFields
        // The head goes out as planned: an encoder that mends framing would tell the truth where a fault lies.
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        let gate = HeadGate()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            gate,
            HTTPResponseEncoder(configuration: encoding),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
            HTTPServerPipelineHandler(),
            OriginConnectionHandler(planner: planner, ledger: ledger, gate: gate),
        ])
    }
}
