import Base
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// The HTTP server of the daemon. The server accepts payloads and returns contents, on loopback TCP, on a unix socket,
/// or on both.
///
/// **Input.** The server reads HTTP/1.1 and 1.0, and over TLS also HTTP/2. ``RouteTable`` has the routes that it is
/// given, and reading the head of a request has no side effect. A feature has its ``Route`` values and their handlers in
/// a structure of its own, such as ``BatchRoutes``, which reaches the rest of the program through the feature's ports.
///
/// **Output.** The server sends contents as the pipeline made them, small JSON, and event streams. An error is an RFC
/// 9457 problem with a sentence for people. Each response has an `X-Request-Id`, which a line in the log repeats with
/// method, path, status and time. The log contains no bodies and no queries.
///
/// **Refused.** The server refuses a TCP address that is not loopback, unless callers need a token. Over TCP without
/// tokens, it refuses a `Host` or an `Origin` of another machine, because a page in a browser must not reach the daemon.
/// On the socket, it refuses a peer that is not root, the daemon's own user or in the configured group.
/// ``AccessControl`` refuses unknown tokens, missing scopes and callers beyond their limits. ``HTTPServerSettings`` bounds
/// bodies, heads, idle times and slow transfers.
///
/// **Cancellation.** A graceful shutdown ends listening and event streams, and closes idle connections. Running
/// requests get their responses first. Cancelling the task of `run()` ends the rest at once. If a waiting caller closes
/// its connection or its sending half, its wait is cancelled at once.
///
/// **Threads.** An event loop group of one thread handles sockets and HTTP. Handlers run in the cooperative pool and do
/// not block. The ``LargePayloadExecutor`` runs the work on large bodies.
///
/// **To add a new route, do this.** Add a ``Route`` to the `routes` of its feature, with a method that reads the arguments
/// and returns the handler. A parameter is a static property of ``Parameter``: the route declares it in `parameters`, and
/// the method reads it by `arguments[.name]`. Routes of a new feature are a ``RouteGroup`` that its `Feature` returns. Then
/// describe the route in `docs/use/http.md` and write `docs/schema/openapi.json` with `REWRITE_GOLDENS=1`. Tests fail
/// until both agree with the routes.
package struct HTTPServer: Service {
    /// The addresses on which the server listens.
    package struct Bound: Sendable, Equatable {
        package var port: Int?
        /// The port of the listener for monitoring.
        package var monitoringPort: Int?
        package var socketPath: String?
    }

    private let settings: HTTPServerSettings
    private let context: CallContext
    private let exchange: HTTPExchange
    private let life: Listener.Life
    private let loops = RunningLoops()
    private let logger: Logger
    private let onReady: @Sendable (Bound) async -> Void

    /// - Parameter context: The state that the handlers of the routes share.
    /// - Parameter access: The authentication of callers over TCP, if the settings require it.
    /// - Parameter routes: The routes of all features. Error responses and documents list them in the order of their chapters.
    /// - Parameter onReady: A closure that is called once, when all listeners accept connections.
    package init(
        _ settings: HTTPServerSettings, _ context: CallContext, access: AccessControl = AccessControl(),
        routes: [RouteGroup], logger: Logger, onReady: @escaping @Sendable (Bound) async -> Void = { _ in }
    ) throws(HTTPServerError) {
        if let problem = settings.problem { throw problem }
        (self.settings, self.context, self.logger, self.onReady) = (settings, context, logger, onReady)
        life = Listener.Life(draining: context.draining)
        exchange = HTTPExchange(
            settings: settings, context: context, access: access, table: RouteTable(routes), logger: logger,
            handingOver: life.handingOver)
    }

    /// Listens until the graceful shutdown, and returns after the last connection has ended.
    ///
    /// - Throws: ``HTTPServerError`` if the server cannot listen.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads)
        loops.group.withLock { $0 = group }
        do {
            defer {
                loops.group.withLock { $0 = nil }
                exchange.refusals.flush()
            }
            try await withGracefulShutdownHandler {
                try await serve(on: group)
            } onGracefulShutdown: {
                life.draining.signal()
                // A listener that has not begun to accept connections ends, too.
                life.opened.signal()
            }
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try? await group.shutdownGracefully()
    }

    /// The number of open connections of all listeners.
    package var connectionCount: Int { life.connections.value }

    /// The number of batches and other streams of lines whose callers wait.
    package var streamedBatchCount: Int { context.lineSlots.count }

    /// Begins to accept connections on the sockets of a service manager. Own sockets accept connections from the start.
    package func open() { life.opened.signal() }

    /// The time in which the requests on accepted connections arrive, after the last connection was accepted.
    private static let handoverTime: Duration = .milliseconds(250)

    /// Leaves new connections on the sockets of a service manager to the next daemon. The kernel keeps them until then.
    ///
    /// Returns after a short time, in which the requests on the accepted connections are taken, so that none of them is
    /// refused when the daemon drains. Returns at once if no socket is passed.
    package func handOver() async {
        guard settings.hasPassedSockets else { return }
        life.handingOver.signal()
        await context.clock.sleep(until: context.clock.now.advanced(by: Self.handoverTime))
    }

    /// Returns when each event loop has run a task, which shows that the connections are served. Returns at once if the
    /// server does not run.
    package func answer() async {
        guard let group = loops.group.withLock({ $0 }) else { return }
        for loop in group.makeIterator() { try? await loop.submit {}.get() }
    }

    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        var listeners: [Listener] = []
        if let tcp = settings.tcp { listeners.append(.tcp(tcp, settings.needsToken ? .token : .host)) }
        if let address = settings.monitoring { listeners.append(.tcp(address, .monitoring)) }
        if let socket = settings.socket {
            listeners.append(
                .socket(SocketFile(path: socket.path, groupID: socket.groupID), passed: socket.descriptor))
        }
        let arrivals = BoundCount(expected: listeners.count)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for listener in listeners {
                tasks.addTask {
                    try await listener.run(
                        settings: settings, exchange: exchange, group: group, logger: logger, life: life,
                        onBound: { channel in
                            guard let bound = arrivals.add(listener, channel) else { return }
                            await onReady(bound)
                        })
                }
            }
            if let certificate = settings.certificate {
                async let _: Void = certificate.follow()
                // The first listener that fails ends the others.
                for try await _ in tasks {}
            } else {
                for try await _ in tasks {}
            }
        }
    }
}

/// The event loops of a running server; `nil` before and after its run.
private final class RunningLoops: Sendable {
    let group = Guarded<MultiThreadedEventLoopGroup?>(nil)
}

/// A collector of the listeners' addresses, which each listener reports from its own task.
private final class BoundCount: Sendable {
    private let state: Guarded<(missing: Int, bound: HTTPServer.Bound)>

    init(expected: Int) { state = Guarded((expected, HTTPServer.Bound())) }

    /// Adds the address of a listener.
    ///
    /// - Returns: All addresses if this was the last listener; `nil` otherwise.
    ///
    /// - Parameter channel: The channel that accepts connections; `nil` for a passed socket, whose address is known.
    func add(_ listener: Listener, _ channel: (any Channel)?) -> HTTPServer.Bound? {
        state.withLock { state in
            switch listener {
            case .tcp(let address, .monitoring):
                state.bound.monitoringPort = channel?.localAddress?.port ?? address.port
            case .tcp(let address, _): state.bound.port = channel?.localAddress?.port ?? address.port
            case .socket(let file, _): state.bound.socketPath = file.path
            }
            state.missing -= 1
            return state.missing == 0 ? state.bound : nil
        }
    }
}

/// The reason why the server does not listen.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case nothingToListenOn
    case notLoopback(host: String)
    /// Another process already listens on the socket.
    case socketInUse(path: String)
    /// A failed system call. `step` names the call, and `problem` is the system's message.
    case socket(path: String, step: String, problem: String)
    case listen(host: String, port: Int, problem: String)
    /// A socket of the service manager that has no use. The value is a sentence.
    case passed(String)

    package var description: String {
        switch self {
        case .nothingToListenOn: "there is no address and no socket to listen on: name one of them"
        case .notLoopback(let host):
            "other machines can reach \(host), and no token permits them to call: set auth.tokens or auth.issuers "
                + "(appgroupd token new makes a token), or listen on 127.0.0.1, [::1] or localhost"
        case .socketInUse(let path): "another daemon listens on \(path): end that daemon, or name another socket"
        case .socket(let path, let step, let problem): "cannot listen on \(path): \(step): \(problem)"
        case .passed(let problem): "a socket of the service manager cannot be used: \(problem)"
        case .listen(let host, let port, let problem): "cannot listen on \(host), port \(port): \(problem)"
        }
    }
}
