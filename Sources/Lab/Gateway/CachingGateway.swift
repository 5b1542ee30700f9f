package import HTTPCaching
import NIOCore
import NIOHTTP1
import NIOPosix
package import NotificationModel

/// An HTTP/1.1 server whose every answer comes from a closure: the cache's front, for trying it from outside.
///
/// **What comes in.** Requests of any method. A target in absolute form is asked for as it is; one that is a path is
/// taken below the upstream. Bodies up to ``largestBody``; interim answers are not passed on.
///
/// **What goes out.** The closure's answer with a `Cache-Status` (RFC 9211), or 502 and 504 with a sentence where it has
/// none. `Content-Length` is what is there, so that a body that did not come to its end ends the connection.
///
/// **Who ends it.** Cancelling the task that ``run(onReady:)`` is in: connections are its children.
package struct CachingGateway: Sendable {
    package typealias Answer = @Sendable (OriginRequest) async -> Result<CachedResponse, MediaFailure>
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// Bytes; more is answered with 413.
    package static let largestBody = 4 << 20

    private let host: String
    private let port: Int
    /// `http://127.0.0.1:8000`, without a slash at the end. `nil`: a path alone is answered with 400.
    private let upstream: String?
    private let answer: Answer

    /// - Parameter port: 0 for any that is free.
    package init(host: String = "127.0.0.1", port: Int, upstream: String?, answer: @escaping Answer) {
        self.host = host
        self.port = port
        self.upstream = upstream
        self.answer = answer
    }

    /// Serves until the task is cancelled.
    ///
    /// - Parameter onReady: called with the port when connections are accepted.
    /// - Throws: ``OriginStartError`` where the address cannot be listened on.
    package func run(onReady: @Sendable (Int) -> Void = { _ in }) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let listener = try await listen(on: group)
            onReady(listener.channel.localAddress?.port ?? port)
            try await withThrowingDiscardingTaskGroup { tasks in
                try await listener.executeThenClose { connections in
                    for try await connection in connections {
                        tasks.addTask { await GatewayConnection(upstream, answer).serve(connection) }
                    }
                }
                // Whoever is served is not waited for.
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
