import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// A media origin that misbehaves on request: the one that tests fetch from, and `appgroupd lab serve`.
///
/// **What comes in.** HTTP/1.1 (and 1.0) over TCP: GET and HEAD, with the conditions of RFC 9110 and a range. A path is
/// a list of faults, which compose from left to right, and a file below the served folder:
/// `/delay/2s/stall/after/1000/video.mp4`. ``Fault`` lists them, ``FaultReference`` says it to users.
///
/// **What goes out.** The file's bytes with `Content-Length`, the `Content-Type` of its extension, a strong `ETag`,
/// `Last-Modified` and `Accept-Ranges: bytes`; 304 or 412 as its validators have it, 206 or 416 to one range of bytes,
/// all of it to several; a 404 with an HTML page where there is no such file, as real origins do. Then the faults,
/// exactly: nothing is mended on the way out. There is no `Date`: the laboratory's clock is not the machine's, and an
/// origin without a clock sends none (RFC 9110, section 6.6.1); a path that needs one has it set with `/header/`. And
/// the counts of all that was seen, which a test reads or waits on without sleeping.
///
/// **What it refuses.** Everything outside the folder, symbolic links included; heads over 16 KiB or 100 fields (431),
/// bodies (413), other methods (405), malformed and misspelt faults (400, and the page says what to write instead); connections past
/// ``mostConnections`` are closed at once. It listens on loopback unless it is told otherwise, and it must not be told
/// so on a machine that others reach: it has no limit of time on a connection, on purpose.
///
/// **Who ends it.** ``stop()``, always: it owns a thread and descriptors. ``withOrigin(serving:_:)`` does so by itself.
///
/// **Which thread.** One event loop of its own. Files are read there in pieces of 64 KiB, when the socket takes more: a
/// slow client costs one piece of memory, a slow disk holds the others up. Planning is pure but for opening the file;
/// ``ReplyPlanner`` decides what to say, ``Delivery`` its framing, ``DeliveryProgress`` each step; the writer does it.
package final class MisbehavingOrigin: Sendable {
    /// More connections at one time are closed as they come.
    package static let mostConnections = 1024

    package let host: String
    /// The port it listens on, also where it was asked for 0, any free one.
    package let port: Int

    private let listener: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let ledger: OriginLedger

    private init(
        host: String, port: Int, listener: any Channel, group: MultiThreadedEventLoopGroup, ledger: OriginLedger
    ) {
        self.host = host
        self.port = port
        self.listener = listener
        self.group = group
        self.ledger = ledger
    }

    /// Listens, and returns when connections are accepted.
    ///
    /// - Parameter isLaboratory: whether its replies say that they are a laboratory's, in the field `Appgroupd-Lab`:
    ///   fetchers do not let such a host rest, however often it fails.
    /// - Throws: ``OriginStartError`` where the folder cannot be opened or the address not be listened on.
    package static func start(
        serving directory: String, host: String = "127.0.0.1", port: Int = 0, isLaboratory: Bool = false
    ) async throws -> MisbehavingOrigin {
        let planner = ReplyPlanner(
            directory: try ServedDirectory(directory), fields: isLaboratory ? ["Appgroupd-Lab": "faults"] : [:])
        let ledger = OriginLedger()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do {
            let listener = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try ConnectionPipeline.configure(channel, planner: planner, ledger: ledger)
                    }
                }
                .bind(host: host, port: port).get()
            let port = listener.localAddress?.port ?? port
            return MisbehavingOrigin(host: host, port: port, listener: listener, group: group, ledger: ledger)
        } catch {
            try? await group.shutdownGracefully()
            throw OriginStartError.listen(host: host, port: port, underlying: error)
        }
    }

    /// Starts an origin, and stops it when `body` returns or throws.
    package static func withOrigin<Result>(
        serving directory: String, _ body: (MisbehavingOrigin) async throws -> Result
    ) async throws -> Result {
        let origin = try await start(serving: directory)
        do {
            let result = try await body(origin)
            await origin.stop()
            return result
        } catch {
            await origin.stop()
            throw error
        }
    }

    /// `http://127.0.0.1:40123`, without a slash at the end: a path is appended to it.
    package var baseURL: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// What was seen up to now; still readable after ``stop()``.
    package var counts: OriginCounts { ledger.counts }

    /// Suspends until the counts satisfy `predicate`. Nothing is polled: each change wakes it.
    ///
    /// Changes that come fast may be seen as one, so ask for "at least", not for "exactly".
    /// - Returns: `false` where the task was cancelled, or the origin stopped, before the predicate held.
    @discardableResult
    package func waitUntil(_ predicate: (OriginCounts) -> Bool) async -> Bool {
        await ledger.waitUntil(predicate)
    }

    /// Suspends until each connection that was made before is accepted, and so among the ``counts``.
    ///
    /// The kernel takes connections before the origin does, and closes those that their clients give up meanwhile only
    /// when the origin has accepted them: until then `connectionsOpen` says less than there is. The queue is in order,
    /// so a connection of its own, which counts as one, comes last.
    package func acceptEarlierConnections() async throws {
        let last = try await ClientBootstrap(group: group).connect(host: host, port: port).get()
        try await last.close(mode: .output)
        try await last.closeFuture.get()
    }

    /// Closes the listener and every connection, and joins the thread. What was under way counts neither as finished
    /// nor as a disconnect. A second call waits for the first.
    package func stop() async {
        guard ledger.beginStop() else {
            await waitUntil { _ in false }
            return
        }
        // Neither has a way to fail that leaves something open. The group closes the connections of its loop.
        try? await listener.close()
        try? await group.shutdownGracefully()
        ledger.endStop()
    }
}

/// Why the origin does not start.
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
