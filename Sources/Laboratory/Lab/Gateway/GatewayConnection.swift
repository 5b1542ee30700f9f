import Glibc
import HTTPCaching
import LinuxIO
import NIOCore
import NIOHTTP1
import NotificationModel

/// One connection of the gateway, with one request at a time.
struct GatewayConnection: Sendable {
    private static let pieceSize = 64 * 1024

    let upstream: String?
    let answer: CachingGateway.Answer

    /// Serves a connection until it ends. Errors of the connection are ignored, because they concern only this client.
    func serve(_ connection: CachingGateway.Connection) async {
        try? await connection.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body: [UInt8] = []
            for try await part in inbound {
                switch part {
                case .head(let new):
                    head = new
                    body = []
                case .body(let bytes):
                    // A body that is too large is read to its end, and not kept in memory.
                    if body.count <= CachingGateway.largestBody { body += bytes.readableBytesView }
                case .end:
                    guard let head else { return }
                    guard try await write(answer(to: head, body), to: head, outbound) else { return }
                }
            }
        }
    }

    private func answer(to head: HTTPRequestHead, _ body: [UInt8]) async -> GatewayAnswer {
        guard body.count <= CachingGateway.largestBody else {
            return GatewayAnswer(
                refusal: 413, "the body of the request is longer than \(CachingGateway.largestBody) bytes")
        }
        guard let request = GatewayFields.request(head, body: body, upstream: upstream) else {
            return GatewayAnswer(refusal: 400, "the method or the target of the request is not valid")
        }
        return switch await answer(request) {
        case .success(let response): GatewayAnswer(response, to: request.method)
        case .failure(let failure): GatewayAnswer(failure)
        }
    }

    /// Writes a response to the connection. Returns whether the connection can receive another request.
    private func write(
        _ answer: GatewayAnswer, to request: HTTPRequestHead,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws -> Bool {
        let head = GatewayFields.head(answer, to: request)
        try await outbound.write(.head(head))
        if request.method != .HEAD, head.status.mayHaveResponseBody {
            switch answer.body {
            case .text(let text): try await outbound.write(.body(.byteBuffer(ByteBuffer(string: text))))
            case .stretch(let body): try await write(body, outbound)
            }
        }
        guard answer.isComplete else { return false }
        try await outbound.write(.end(nil))
        return head.isKeepAlive && request.isKeepAlive
    }

    private func write(
        _ body: ResponseBody, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    ) async throws {
        guard let file = body.file else { return }
        var position = body.bytes.lowerBound
        while position < body.bytes.upperBound {
            let count = min(Self.pieceSize, body.bytes.upperBound - position)
            guard let piece = ByteBuffer(count, at: position, of: file.descriptor) else {
                throw IOError(errnoCode: EIO, reason: "pread")
            }
            position += count
            try await outbound.write(.body(.byteBuffer(piece)))
        }
    }
}
