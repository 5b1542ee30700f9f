package import JSON
package import Logging
import NIOCore
import NIOPosix
package import NotificationModel
import ServiceLifecycle

/// The daemon's HTTP: payloads in and contents out, on loopback TCP, on a unix socket, or on both.
///
/// **What comes in.** HTTP/1.1 and 1.0. ``Route`` is the list of what can be asked; reading a request into one is
/// pure. All the rest of the program is behind the port `RequestIntake`.
///
/// **What goes out.** Contents as they are, small JSON, event streams, and for whatever is wrong an RFC 9457 problem
/// with a sentence for people. Each answer has an `X-Request-Id`, and a line in the log under it: method, path, status
/// and time; no bodies, no queries.
///
/// **What it refuses.** A TCP address that is not loopback, for there is no authentication; over TCP a `Host` or an
/// `Origin` that is not this machine's (a page in a browser must not reach us); on the socket peers that are neither
/// our user, root, nor in the configured group. Bodies, heads, silence and slowness are bounded by
/// ``HTTPServerSettings``.
///
/// **Who ends it.** A graceful shutdown: listening ends, event streams end, idle connections close, and what is under
/// way gets its answer first. Cancelling the task ends the rest at once. A waiting caller who leaves (who closes its
/// connection, or its sending half) is seen at once, and its wait is cancelled.
///
/// **Which thread.** An event loop group of its own, of one thread, for sockets and HTTP; handlers run in the
/// cooperative pool and block on nothing; large bodies are worked on in the ``LargePayloadExecutor``.
package struct HTTPServer: Service {
    /// Where it listens, once it does.
    package struct Bound: Sendable, Equatable {
        package var port: Int?
        package var socketPath: String?
    }

    private let settings: HTTPServerSettings
    private let exchange: HTTPExchange
    private let draining = AsyncEvent()
    private let logger: Logger
    private let onReady: @Sendable (Bound) async -> Void

    /// - Parameters:
    ///   - large: where large bodies are parsed, and handed in.
    ///   - largeBodies: room for bodies of more than 256 KiB.
    ///   - largeValues: room for bodies with many values.
    ///   - phase: for `/readyz` and `status`; while it is starting, calls about requests are refused.
    ///   - canStore: whether accepted requests can be made durable at the moment; `/readyz` is 503 while they cannot.
    ///   - areDescriptorsShort: whether media may get no descriptors at the moment; `/readyz` is 503 meanwhile.
    ///   - scannedGroups: how many app groups have no inotify watch, for `/readyz`.
    ///   - sandbox: the layers of the workers' sandbox, for `/v1/status`.
    ///   - metrics: the text of `/metrics`.
    ///   - cache: removes media that must not be shown any more.
    ///   - warming: makes media ready before the notifications are sent that show them.
    ///   - onReady: called once, when connections are accepted on all that is listened on.
    package init(
        _ settings: HTTPServerSettings, coordinator: any RequestIntake, version: String, logger: Logger,
        clock: any RequestClock = SystemClock(), large: LargePayloadExecutor = LargePayloadExecutor(),
        largeBodies: ByteLimiter = ByteLimiter(limit: 64 << 20),
        largeValues: ByteLimiter = ByteLimiter(limit: 32 << 20),
        phase: @escaping @Sendable () -> DaemonPhase = { .ready },
        canStore: @escaping @Sendable () -> Bool = { true },
        areDescriptorsShort: @escaping @Sendable () -> Bool = { false },
        scannedGroups: @escaping @Sendable () -> Int = { 0 },
        sandbox: @escaping @Sendable () -> JSONValue = { .null },
        restingHosts: @escaping @Sendable () -> JSONValue = { .null },
        metrics: @escaping @Sendable () -> String = { "" },
        cache: (any CachePurging)? = nil,
        warming: (any WarmAnswering)? = nil,
        onReady: @escaping @Sendable (Bound) async -> Void = { _ in }
    ) throws(HTTPServerError) {
        if let problem = settings.problem { throw problem }
        self.settings = settings
        self.logger = logger
        self.onReady = onReady
        let daemon = DaemonFacts(
            version: version, started: clock.now, phase: phase, canStore: canStore,
            areDescriptorsShort: areDescriptorsShort, scannedGroups: scannedGroups, sandbox: sandbox,
            restingHosts: restingHosts, metrics: metrics, draining: draining)
        exchange = HTTPExchange(
            settings: settings, clock: clock, logger: logger,
            deskCalls: RouteHandlers(
                coordinator: coordinator, clock: clock, daemon: daemon,
                places: EventStreamPlaces(most: settings.mostEventStreams), large: large,
                values: BodyRoom(limiter: largeValues, clock: clock, patience: settings.roomLimit), cache: cache,
                warming: warming),
            streams: EventStreamWriter(clock: clock, heartbeat: settings.heartbeat, draining: draining),
            largeBodies: largeBodies)
    }

    /// - Throws: ``HTTPServerError`` where it cannot listen.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: settings.threads)
        do {
            try await withGracefulShutdownHandler {
                try await serve(on: group)
            } onGracefulShutdown: {
                draining.signal()
            }
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try? await group.shutdownGracefully()
    }

    private func serve(on group: MultiThreadedEventLoopGroup) async throws {
        var listeners: [Listener] = []
        if let tcp = settings.tcp { listeners.append(.tcp(tcp)) }
        if let socket = settings.socket {
            listeners.append(.socket(SocketFile(path: socket.path, groupID: socket.groupID)))
        }
        let arrivals = BoundCount(expected: listeners.count)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for listener in listeners {
                tasks.addTask {
                    try await listener.run(
                        settings: settings, exchange: exchange, group: group, logger: logger,
                        draining: draining,
                        onBound: { channel in
                            guard let bound = arrivals.add(listener, channel) else { return }
                            await onReady(bound)
                        })
                }
            }
            // The first that fails ends the others.
            for try await _ in tasks {}
        }
    }
}

/// Joins what the listeners say, each from its own task.
private final class BoundCount: Sendable {
    private let state: Guarded<(missing: Int, bound: HTTPServer.Bound)>

    init(expected: Int) { state = Guarded((expected, HTTPServer.Bound())) }

    /// - Returns: where all listen, when this was the last of them.
    func add(_ listener: Listener, _ channel: any Channel) -> HTTPServer.Bound? {
        state.withLock { state in
            switch listener {
            case .tcp: state.bound.port = channel.localAddress?.port
            case .socket(let file): state.bound.socketPath = file.path
            }
            state.missing -= 1
            return state.missing == 0 ? state.bound : nil
        }
    }
}

/// Why the server does not listen.
package enum HTTPServerError: Error, Equatable, CustomStringConvertible {
    case nothingToListenOn
    case notLoopback(host: String)
    /// Somebody listens on the socket already.
    case socketInUse(path: String)
    /// `step` is what failed, `problem` the system's own words.
    case socket(path: String, step: String, problem: String)
    case listen(host: String, port: Int, problem: String)

    package var description: String {
        switch self {
        case .nothingToListenOn: "there is no address and no socket to listen on: name one of them"
        case .notLoopback(let host):
            "other machines can reach \(host), and there is no authentication yet: listen on 127.0.0.1, [::1] or "
                + "localhost"
        case .socketInUse(let path): "another daemon listens on \(path): end that daemon, or name another socket"
        case .socket(let path, let step, let problem): "cannot listen on \(path): \(step): \(problem)"
        case .listen(let host, let port, let problem): "cannot listen on \(host), port \(port): \(problem)"
        }
    }
}
