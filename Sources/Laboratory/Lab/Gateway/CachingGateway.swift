package import HTTPCaching
import NIOCore
import NIOHTTP1
import NIOPosix
package import NotificationModel

/// An HTTP/1.1 server whose responses come from a closure. `appgroupd lab proxy` shows the daemon's HTTP cache with it.
///
/// The server accepts requests of any method, with bodies of up to ``largestBody`` bytes. A target in absolute form is
/// requested unchanged, and a path is requested below the upstream. Interim responses (1xx) are not forwarded.
///
/// The server sends the response of the closure, and adds a `Cache-Status` header (RFC 9211). If the closure fails, the
/// response has the status 502 or 504 and a sentence. `Content-Length` has the actual length. An incomplete body ends
/// the connection. An invalid method or target gets 400, and a larger body gets 413.
///
/// The sockets run on one event loop thread, and the closure runs on the cooperative pool. The server ends when the
/// task that called ``run(onReady:)`` is cancelled, because the connections are its child tasks.
package struct CachingGateway: Sendable {
    package typealias Answer = @Sendable (OriginRequest) async -> Result<OriginResponse, MediaFailure>
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// The largest body of a request, in bytes. A larger body is refused with 413.
    package static let largestBody = 4 << 20

    private let host: String
    private let port: Int
    /// The base URL such as `http://127.0.0.1:8000`, without a slash at the end. Without it, a request with only a path
    /// is refused with 400.
    private let upstream: String?
    private let answer: Answer

    /// - Parameter port: The port. If it is 0, the kernel chooses a free port.
    package init(host: String = "127.0.0.1", port: Int, upstream: String?, answer: @escaping Answer) {
        self.host = host
        self.port = port
        self.upstream = upstream
        self.answer = answer
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: A function that is called with the port when connections are accepted.
    /// - Throws: ``OriginStartError`` if the server cannot listen on the address.
    package func run(onReady: @Sendable (Int) -> Void = { _ in }) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let listener = try await listen(on: group)
            onReady(listener.channel.localAddress?.port ?? port)
            try await withThrowingDiscardingTaskGroup { tasks in
                try await listener.executeThenClose { connections in
                    for try await connection in connections {
                        tasks.addTask { await GatewayConnection(upstream: upstream, answer: answer).serve(connection) }
                    }
                }
                // The server does not wait for the connections that it still serves.
                tasks.cancelAll()
            }
            try await group.shutdownGracefully()
        } catch {
            try? await group.shutdownGracefully()
            if !(error is CancellationError) { throw error }
        }
    }

    private func listen(
        on group: MultiThreadedEventLoopGroup
    ) async throws(OriginStartError) -> NIOAsyncChannel<Connection, Never> {
        do {
            return try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .bind(host: host, port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw OriginStartError.listen(host: host, port: port, underlying: error)
        }
    }
}
