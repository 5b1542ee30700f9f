import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NotificationModel
import Primitives
import WebURL

/// A listener on one address, which runs until the graceful shutdown.
enum Listener: Sendable {
    case tcp(HTTPServerSettings.TCPAddress, AccessRule)
    case socket(SocketFile)

    private struct Outcome {
        var isBound = false
        var error: HTTPServerError?
    }

    /// Listens, and returns when the last connection has ended.
    ///
    /// - Parameter draining: An event that is signalled when listening is to end.
    /// - Parameter onBound: A closure that is called when the listener accepts connections.
    func run(
        settings: HTTPServerSettings, exchange: HTTPExchange, group: any EventLoopGroup, logger: Logger,
        draining: AsyncEvent, onBound: @escaping @Sendable (any Channel) async -> Void
    ) async throws {
        var channel = ListenerChannel(access: access, settings: settings, exchange: exchange)
        if let certificate = settings.certificate, isSecure {
            channel.isSecure = true
            let secure = SecureListenerChannel(plain: channel, certificate: certificate)
            try await run(secure, settings, on: group, logger, until: draining, onBound)
        } else {
            try await run(channel, settings, on: group, logger, until: draining, onBound)
        }
    }

    private func run(
        _ setup: some ServerChildChannel, _ settings: HTTPServerSettings, on group: any EventLoopGroup,
        _ logger: Logger, until draining: AsyncEvent, _ onBound: @escaping @Sendable (any Channel) async -> Void
    ) async throws {
        if case .socket(let file) = self { try file.removeStale() }
        let outcome = Guarded(Outcome())
        // `HTTPServer` logs one line when all listeners listen, so Hummingbird's own lines are not needed. Errors are
        // thrown to the caller, which logs them.
        var quiet = logger
        quiet.logLevel = .critical
        let server = Server(
            childChannelSetup: setup,
            configuration: ServerConfiguration(
                address: address,
                availableConnectionsDelegate: .maximum(settings.mostConnections, logger: quiet)),
            onServerRunning: { channel in
                outcome.withLock { $0.isBound = true }
                do throws(HTTPServerError) {
                    if case .socket(let file) = self { try file.restrict() }
                    await onBound(channel)
                } catch {
                    outcome.withLock { $0.error = error }
                    // The listener ends when this channel is closed.
                    channel.close(promise: nil)
                }
            }, eventLoopGroup: group, logger: quiet)
        defer { if outcome.withLock({ $0.isBound }), case .socket(let file) = self { file.remove() } }
        do {
            try await Self.run(server, until: draining)
        } catch {
            throw failure(error)
        }
        if let error = outcome.withLock({ $0.error }) { throw error }
    }

    /// Runs the server until the draining of the daemon.
    ///
    /// Hummingbird would begin its graceful shutdown in a task without a waiter, which can outlive the event loops.
    /// Therefore, the server runs in a detached task, which does not see the shutdown and which this function awaits.
    /// The function starts the server's shutdown itself.
    private static func run(_ server: Server<some ServerChildChannel>, until draining: AsyncEvent) async throws {
        let running = Task.detached { try await server.run() }
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    await draining.wait()
                    if !Task.isCancelled { try? await server.shutdownGracefully() }
                }
                defer { tasks.cancelAll() }
                try await running.value
            }
        } onCancel: {
            running.cancel()
        }
    }

    /// Whether the listener uses TLS if the server has a certificate.
    private var isSecure: Bool {
        switch self {
        case .tcp(_, .monitoring), .socket: false
        case .tcp: true
        }
    }

    private var address: BindAddress {
        switch self {
        case .tcp(let address, _): .hostname(HostAndPort.unbracketed(address.host), port: address.port)
        case .socket(let file): .unixDomainSocket(path: file.path)
        }
    }

    private var access: AccessRule {
        switch self {
        case .tcp(_, let rule): rule
        case .socket(let file): .peer(PeerRule(groupID: file.groupID))
        }
    }

    private func failure(_ error: any Error) -> HTTPServerError {
        let problem = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return switch self {
        case .tcp(let address, _): .listen(host: address.host, port: address.port, problem: problem)
        case .socket(let file): .socket(path: file.path, step: "bind", problem: problem)
        }
    }
}
