import Base
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A media origin that misbehaves on request. Tests fetch from it, and `appgroupd lab serve` runs it.
///
/// The origin accepts HTTP/1.1 and 1.0 over TCP: GET and HEAD, with the conditions of RFC 9110 and one range. A path
/// consists of faults, which are applied from left to right, and a file below the served directory:
/// `/delay/2s/stall/after/1000/video.mp4`. ``Fault`` lists the faults, and ``FaultReference`` documents them for users.
///
/// The response is the file with `Content-Length`, `Content-Type`, a strong `ETag`, `Last-Modified` and
/// `Accept-Ranges`. Conditions result in 304 or 412. One range results in 206 or 416, and several ranges result in the
/// whole file. A missing file gets 404 with an HTML page. The faults are then applied exactly, and no component
/// corrects their output. There is no `Date` header, as RFC 9110, section 6.6.1, permits for an origin without a clock;
/// `/header/` can set one. The ``counts`` record all events, and a test can wait for them.
///
/// The origin refuses files outside the directory and symbolic links (404), heads over 16 KiB or 100 fields (431), and
/// bodies (413). It also refuses other methods (405) and malformed faults (400 with the correct form). The origin
/// closes connections beyond ``maxConnections``. It listens on loopback by default. The origin must not be reachable
/// from a network, because it intentionally has no time limit for connections.
///
/// The origin runs on one event loop thread of its own. The origin reads files on this thread in pieces of 64 KiB when
/// the socket accepts more. A slow client therefore costs one piece of memory, and a slow disk delays all clients.
/// ``ReplyPlanner`` decides the response, ``Delivery`` decides its framing, and ``DeliveryProgress`` decides each step.
/// The owner, or ``withOrigin(serving:_:)``, must call ``stop()``, which joins the thread and closes the descriptors.
///
/// To add a new fault, do this: write its case in ``Fault``, parse it in `PathSegments+Fault.swift`, apply it in
/// ``ReplyOptions`` or ``ReplyPlanner``, and add its example to ``FaultReference``. `ScenarioFaultTests` is not
/// compiled until it knows the case, and `ScenarioKeyTests` fails until `docs/schema/scenario.schema.json` has the
/// fault. `docs/use/lab.md` follows with `REWRITE_GOLDENS=1`.
package struct MisbehavingOrigin: Sendable {
    /// The maximum number of connections at a time. Further connections are closed at once.
    package static let maxConnections = 1024

    package let host: String
    /// The port on which the origin listens. If the requested port was 0, this is the port that the kernel chose.
    package let port: Int

    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let state: CurrentValue<OriginCounts>

    /// Starts an origin, and returns when it accepts connections.
    ///
    /// - Parameter isLaboratory: Whether each reply has the header `Appgroupd-Lab`. Fetchers never open the circuit
    ///   breaker of a host with this header, even if the host fails often.
    /// - Parameter circumstances: The routes, the network and the TLS of a scenario, which apply from the first request.
    /// - Throws: ``OriginStartError`` if the directory cannot be opened, or if the origin cannot listen on the address.
    package static func start(
        serving directory: String, host: String = "127.0.0.1", port: Int = 0, isLaboratory: Bool = false,
        circumstances: OriginCircumstances = OriginCircumstances()
    ) async throws -> MisbehavingOrigin {
        let planner = ReplyPlanner(
            directory: try ServedDirectory(directory), fields: isLaboratory ? ["Appgroupd-Lab": "faults"] : [:],
            routes: circumstances.routes, seed: circumstances.seed)
        let secure = try circumstances.authority?.serverContext()
        let state = CurrentValue(OriginCounts())
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let link = circumstances.link.map { shape in
            NIOLoopBoundBox.makeBoxSendingValue(NetworkLink(shape), eventLoop: group.next())
        }
        let timers = circumstances.timers
        do {
            let listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try ConnectionPipeline.configure(
                            channel, planner: planner, state: state, timers: timers, link: link?.value, secure: secure)
                    }
                }
                .bind(host: host, port: port).get()
            let port = listener.localAddress?.port ?? port
            return MisbehavingOrigin(host: host, port: port, listener: listener, group: group, state: state)
        } catch {
            try? await group.shutdownGracefully()
            throw OriginStartError.listen(host: host, port: port, underlying: error)
        }
    }

    /// Starts an origin, and stops it when `body` returns or throws.
    package static func withOrigin<Value>(
        serving directory: String, _ body: (MisbehavingOrigin) async throws -> Value
    ) async throws -> Value {
        let origin = try await start(serving: directory)
        let result: Result<Value, any Error>
        do { result = .success(try await body(origin)) } catch { result = .failure(error) }
        await origin.stop()
        return try result.get()
    }

    /// The URL such as `http://127.0.0.1:40123`, without a slash at the end, so that a path can be appended.
    package var baseURL: String { "http://\(HostAndPort.text(host, port))" }

    /// The events so far, which can also be read after ``stop()``.
    package var counts: OriginCounts { state.value }

    /// Waits until the counts satisfy `predicate`. The wait does not poll: each change resumes it.
    ///
    /// Changes that follow each other fast may be seen as one change. A predicate should therefore ask for "at least".
    /// - Returns: `false` if the task was cancelled, or the origin was stopped, before the predicate held.
    @discardableResult
    package func waitUntil(_ predicate: (OriginCounts) -> Bool) async -> Bool { await state.wait(until: predicate) }

    /// Waits until each connection that was made earlier is accepted, and is therefore included in ``counts``.
    ///
    /// The kernel accepts connections before the origin accepts them. If a client closes a connection that the origin
    /// has not accepted, the kernel ends it only after the origin has accepted it. Before the acceptance,
    /// `connectionsOpen` is too small. The queue of the kernel is ordered. This function therefore opens a connection
    /// of its own, which is counted, and waits for it.
    package func acceptEarlierConnections() async throws {
        let last = try await ClientBootstrap(group: group).connect(host: host, port: port).get()
        try await last.close(mode: .output)
        try await last.closeFuture.get()
    }

    /// Closes the listener and all connections, and joins the thread. Open requests are counted neither as finished nor
    /// as disconnects. A second call waits for the first one.
    package func stop() async {
        let isFirst = state.update { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else {
            await waitUntil { _ in false }
            return
        }
        // Even if one of these calls fails, no descriptor stays open. The shutdown of the group closes its connections.
        try? await listener.close()
        try? await group.shutdownGracefully()
        state.finish()
    }
}

/// The reason for which the origin does not start.
package enum OriginStartError: Error, CustomStringConvertible {
    case directory(path: String, errno: Int32)
    case listen(host: String, port: Int, underlying: any Error)

    package var description: String {
        switch self {
        case .directory(let path, let errno):
            "the directory `\(path)` cannot be opened: \(String(cString: strerror(errno)))"
        case .listen(let host, let port, let underlying as IOError) where underlying.errnoCode == EADDRINUSE:
            "cannot listen on \(host), port \(port), where another program listens: end it, or name another port"
        case .listen(let host, let port, let underlying as IOError):
            "cannot listen on \(host), port \(port): \(String(cString: strerror(underlying.errnoCode)))"
        case .listen(let host, let port, let underlying): "cannot listen on \(host), port \(port): \(underlying)"
        }
    }
}
