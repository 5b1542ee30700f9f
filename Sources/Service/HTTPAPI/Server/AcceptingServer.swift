import Base
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix

/// The socket on which a server listens.
enum ListeningPlace: Sendable {
    case tcp(host: String, port: Int)
    case path(String)
    /// A descriptor of a listening socket, which the server closes at its end.
    case passed(descriptor: Int32)
}

/// A server that accepts connections on one socket, and serves each of them in a task.
///
/// Hummingbird's own server only listens on sockets that it binds. This server also accepts connections on a socket that
/// a service manager has bound, and it can end accepting while the accepted connections are still served.
struct AcceptingServer<Setup: ServerChildChannel>: Sendable {
    /// The maximum number of connections that wait in the kernel until they are accepted. The kernel refuses further
    /// clients of a unix socket that do not wait (EAGAIN), so the number is that of the largest bursts. Linux lowers it
    /// to `net.core.somaxconn`, which is 4,096 by default.
    private static var backlog: Int32 { 4_096 }

    let setup: Setup
    let place: ListeningPlace
    /// The maximum number of connections. Further connections wait in the kernel until a connection ends.
    let maxConnections: Int
    let group: any EventLoopGroup
    let logger: Logger

    /// Serves until the draining of the daemon, and returns when the last connection has ended.
    ///
    /// - Parameter handingOver: An event after which no more connections of a passed socket are accepted. Accepted
    ///   connections go on.
    /// - Parameter draining: An event after which each connection is closed when it has no request in progress.
    /// - Parameter count: The number of open connections of all servers.
    /// - Parameter onAccepting: A closure that is called once, when the server accepts connections.
    func run(
        handingOver: AsyncEvent, draining: AsyncEvent, counting count: CurrentValue<Int>,
        onAccepting: @Sendable (any Channel) async -> Void
    ) async throws {
        let quiescing = ServerQuiescingHelper(group: group)
        let listener = try await bind(quiescing, handingOver)
        let channel = listener.channel
        let handover = handingOver.whenSignalled {
            // A closed channel would drop the connections that it has just accepted. `ReadsUntilHandover` refuses the
            // reads that handlers ask for themselves.
            if case .passed = place { channel.setOption(.autoRead, value: false).whenFailure { _ in } }
        }
        let drain = draining.whenSignalled { quiescing.initiateShutdown(promise: nil) }
        defer {
            handingOver.forget(handover)
            draining.forget(drain)
        }
        await onAccepting(channel)
        await withDiscardingTaskGroup { connections in
            do {
                try await listener.executeThenClose { accepted in
                    for try await connection in accepted {
                        connections.addTask {
                            count.update { $0 += 1 }
                            await setup.handle(value: connection, logger: logger)
                            count.update { $0 -= 1 }
                        }
                    }
                }
            } catch {
                // The listener was closed, or the task was cancelled. Neither concerns the accepted connections.
                logger.debug("accepting has ended", metadata: ["error": "\(error)"])
            }
        }
    }

    private func bind(
        _ quiescing: ServerQuiescingHelper, _ handingOver: AsyncEvent
    ) async throws -> NIOAsyncChannel<Setup.Value, Never> {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [maxConnections, place] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if case .passed = place { try pipeline.addHandler(ReadsUntilHandover(handingOver: handingOver)) }
                    try pipeline.addHandler(
                        AvailableConnectionsChannelHandler<MaximumAvailableConnections>(maxConnections: maxConnections)
                    )
                    try pipeline.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
        let initializer: @Sendable (any Channel) -> EventLoopFuture<Setup.Value> = { [setup, logger] channel in
            setup.setup(channel: channel, logger: logger)
        }
        switch place {
        case .tcp(let host, let port):
            return try await bootstrap.bind(host: host, port: port, childChannelInitializer: initializer)
        case .path(let path):
            return try await bootstrap.bind(
                unixDomainSocketPath: path, cleanupExistingSocketFile: true, childChannelInitializer: initializer)
        case .passed(let descriptor):
            return try await bootstrap.bind(descriptor, childChannelInitializer: initializer)
        }
    }
}

/// A handler that accepts no more connections after an event, even if a place for one becomes free.
private final class ReadsUntilHandover: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let handingOver: AsyncEvent

    init(handingOver: AsyncEvent) { self.handingOver = handingOver }

    func read(context: ChannelHandlerContext) {
        if !handingOver.isSignalled { context.read() }
    }
}
