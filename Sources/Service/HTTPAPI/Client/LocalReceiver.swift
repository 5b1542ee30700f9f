import NIOCore
import NIOHTTP1
import NIOPosix

/// A small HTTP server on loopback that hands each request to a function, for developers of a receiver of
/// callbacks. The daemon does not use it.
package struct LocalReceiver: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var target: String
        /// The header fields, with names in lower case. If a field is repeated, the last one is used.
        package var headers: [String: String]
        package var body: [UInt8]
    }

    package struct Response: Sendable {
        package var status: Int
        package var text: String
        package var headers: [String: String]

        package init(_ status: Int, _ text: String = "", headers: [String: String] = [:]) {
            self.status = status
            self.text = text
            self.headers = headers
        }
    }

    private typealias Exchange = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// The maximum size of a body, in bytes. A callback has less than 20 kB.
    private static let maxBytes = 1 << 20

    private let channel: NIOAsyncChannel<Exchange, Never>
    /// The port on which the server listens.
    package let port: Int

    /// Listens on a port of `127.0.0.1`; 0 for any free port.
    package init(port: Int) async throws {
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline(withErrorHandling: true)
                    return try Exchange(wrappingChannelSynchronously: channel)
                }
            }
        self.port = channel.channel.localAddress?.port ?? port
    }

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameter answer: A function that returns the response to a request.
    package func run(_ answer: @escaping @Sendable (Request) async -> Response) async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            try await channel.executeThenClose { connections in
                for try await connection in connections {
                    // A broken connection ends alone.
                    tasks.addTask { _ = try? await Self.serve(connection, answer) }
                }
            }
        }
    }

    @concurrent private static func serve(
        _ connection: Exchange, _ answer: @escaping @Sendable (Request) async -> Response
    ) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var request: Request?
            for try await part in inbound {
                switch part {
                case .head(let head):
                    let fields = head.headers.map { ($0.name.lowercased(), $0.value) }
                    request = Request(
                        method: head.method.rawValue, target: head.uri,
                        headers: Dictionary(fields) { _, last in last }, body: [])
                case .body(let buffer):
                    guard (request?.body.count ?? 0) + buffer.readableBytes <= maxBytes else { return }
                    request?.body += buffer.readableBytesView
                case .end:
                    guard let whole = request else { return }
                    let response = await answer(whole)
                    var headers: HTTPHeaders = [
                        "content-length": "\(response.text.utf8.count)", "content-type": "text/plain",
                    ]
                    for (name, value) in response.headers { headers.replaceOrAdd(name: name, value: value) }
                    try await outbound.write(
                        .head(.init(version: .http1_1, status: .init(statusCode: response.status), headers: headers)))
                    try await outbound.write(.body(.byteBuffer(ByteBuffer(string: response.text))))
                    try await outbound.write(.end(nil))
                }
            }
        }
    }
}
