import Base
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NotificationModel

/// A listener on one address, which runs until the graceful shutdown.
enum Listener: Sendable {
    case tcp(HTTPServerSettings.TCPAddress, AccessRule)
    /// - Parameter passed: The descriptor of a socket of the service manager; `nil` if the listener makes the socket.
    case socket(SocketFile, passed: Int32? = nil)

    private struct Outcome {
        var isBound = false
        var error: HTTPServerError?
    }

    /// The events in the life of a listener.
    struct Life: Sendable {
        /// The event from which on a passed socket accepts connections. Until then the kernel keeps them, so that none is
        /// refused while the daemon starts.
        let opened = AsyncEvent()
        /// The event after which a passed socket accepts no more connections, so that the next daemon accepts them.
        let handingOver = AsyncEvent()
        let draining: AsyncEvent
        /// The number of open connections of all listeners.
        let connections = CurrentValue(0)
    }

    /// Listens, and returns when the last connection has ended.
    ///
    /// - Parameter onBound: A closure that is called with the channel that accepts connections. For a passed socket, it
    ///   is called without a channel, before the socket accepts connections.
    func run(
        settings: HTTPServerSettings, exchange: HTTPExchange, group: any EventLoopGroup, logger: Logger,
        life: Life, onBound: @escaping @Sendable ((any Channel)?) async -> Void
    ) async throws {
        var channel = ListenerChannel(access: access, settings: settings, exchange: exchange)
        if let certificate = settings.certificate, isSecure {
            channel.isSecure = true
            let secure = SecureListenerChannel(plain: channel, certificate: certificate)
            try await run(secure, settings, on: group, logger, during: life, onBound)
        } else {
            try await run(channel, settings, on: group, logger, during: life, onBound)
        }
    }

    private func run(
        _ setup: some ServerChildChannel, _ settings: HTTPServerSettings, on group: any EventLoopGroup,
        _ logger: Logger, during life: Life, _ onBound: @escaping @Sendable ((any Channel)?) async -> Void
    ) async throws {
        if let file = ownFile { try file.removeStale() }
        if isPassed {
            await onBound(nil)
            await life.opened.wait()
            guard !life.draining.isSignalled, !Task.isCancelled else { return }
        }
        let outcome = Guarded(Outcome())
        // `HTTPServer` logs one line when all listeners listen. Errors are thrown to the caller, which logs them.
        var quiet = logger
        quiet.logLevel = .critical
        let server = AcceptingServer(
            setup: setup, place: place, maxConnections: settings.maxConnections, group: group, logger: quiet)
        defer { if outcome.withLock({ $0.isBound }) { ownFile?.remove() } }
        do {
            try await Self.run(server, during: life) { channel in
                outcome.withLock { $0.isBound = true }
                do throws(HTTPServerError) {
                    try ownFile?.restrict()
                    if !isPassed { await onBound(channel) }
                } catch {
                    outcome.withLock { $0.error = error }
                    // The listener ends when this channel is closed.
                    channel.close(promise: nil)
                }
            }
        } catch {
            throw failure(error)
        }
        if let error = outcome.withLock({ $0.error }) { throw error }
    }

    /// Runs the server in a task of its own. The connections then do not see the graceful shutdown of the service, and
    /// end as the events say.
    private static func run(
        _ server: AcceptingServer<some ServerChildChannel>, during life: Life,
        _ onAccepting: @escaping @Sendable (any Channel) async -> Void
    ) async throws {
        let running = Task.detached {
            try await server.run(
                handingOver: life.handingOver, draining: life.draining, counting: life.connections,
                onAccepting: onAccepting)
        }
        try await withTaskCancellationHandler {
            try await running.value
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

    /// The file of a socket that this listener makes; `nil` for TCP, and for a socket of the service manager.
    private var ownFile: SocketFile? {
        if case .socket(let file, passed: nil) = self { file } else { nil }
    }

    private var isPassed: Bool { if case .passed = place { true } else { false } }

    private var place: ListeningPlace {
        switch self {
        case .tcp(let address, _):
            address.descriptor.map { .passed(descriptor: $0) }
                ?? .tcp(host: HostAndPort.unbracketed(address.host), port: address.port)
        case .socket(let file, let passed): passed.map { .passed(descriptor: $0) } ?? .path(file.path)
        }
    }

    private var access: AccessRule {
        switch self {
        case .tcp(_, let rule): rule
        case .socket(let file, _): .peer(PeerRule(groupID: file.groupID))
        }
    }

    private func failure(_ error: any Error) -> HTTPServerError {
        let problem = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        return switch self {
        case .tcp(let address, _): .listen(host: address.host, port: address.port, problem: problem)
        case .socket(let file, _): .socket(path: file.path, step: "bind", problem: problem)
        }
    }
}
