import Authentication
import Base
import FoundationEssentials
import Logging
import NotificationModel
import ServiceLifecycle
import TestSupport

@testable import Features
@testable import HTTPAPI

/// A running server, with the means to send requests to it.
struct ServerBench: Sendable {
    let port: Int
    /// The port of the listener for monitoring; 0 without such a listener.
    let monitoringPort: Int
    let socketPath: String
    let coordinator: FakeCoordinator
    let log: LogLines
    /// An event that is signalled when the server has ended.
    let ended: AsyncEvent
    private let services: ServiceGroup

    /// Starts a server on a free port and on a socket, and ends it gracefully when `body` returns or throws.
    ///
    /// - Parameter settings: The settings. A socket without a path gets one in a directory of the test.
    /// - Parameter path: The beginning of the paths of a feature that the server does not have.
    static func run<Result: Sendable>(
        _ settings: HTTPServerSettings = HTTPServerSettings(), coordinator: FakeCoordinator = FakeCoordinator(),
        clock: any RequestClock = SystemClock(), large: LargePayloadExecutor = LargePayloadExecutor(),
        largeBodies: ByteLimiter = ByteLimiter(limit: 64 << 20),
        largeValues: ByteLimiter = ByteLimiter(limit: 32 << 20),
        phase: DaemonPhase = .ready, canStore: @escaping @Sendable () -> Bool = { true },
        areDescriptorsShort: @escaping @Sendable () -> Bool = { false },
        scannedGroups: @escaping @Sendable () -> Int = { 0 }, invalidGroups: [String] = [],
        restingHosts: JSONValue = .null, metrics: String = "agd_up 1\n",
        report: (inout DaemonFacts) -> Void = { _ in }, access: AccessControl = AccessControl(),
        cache: (any CachePurging)? = nil, warming: (any WarmAnswering)? = nil, media: MediaServing? = nil,
        batches: (any BatchIntake)? = nil, matrix: MatrixGateway = MatrixGateway(),
        recipients: (any RecipientStoring)? = nil, listing: (any NotificationListing)? = nil,
        receipts: (any ReceiptIntake)? = nil, signedReceipts: SignedReceipts = SignedReceipts(nil),
        callbacks: (any CallbackIntake)? = nil,
        erasing: (any ErasureIntake)? = nil,
        messages: (any MessageIntake)? = nil, without path: String? = nil,
        _ body: (ServerBench) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var settings = settings
        settings.tcp = .init(port: 0)
        if settings.socket == nil { settings.socket = .init(path: "") }
        if settings.socket?.path == "" { settings.socket?.path = directory.path + "/s" }
        let log = LogLines()
        let (bounds, bound) = AsyncStream.makeStream(of: HTTPServer.Bound.self)
        let context = CallContext(
            settings, clock: clock, large: large, bodies: largeBodies, values: largeValues, phase: { phase })
        var facts = DaemonFacts(version: "1.2.3", context)
        facts.canStore = canStore
        facts.areDescriptorsShort = areDescriptorsShort
        facts.scannedGroups = scannedGroups
        facts.invalidGroups = { invalidGroups }
        facts.restingHosts = { restingHosts }
        facts.metrics = { metrics }
        report(&facts)
        var ports = BenchRoutes()
        if let cache { ports.cache = cache }
        if let warming { ports.warming = warming }
        if let batches { ports.batches = batches }
        if let recipients { ports.recipients = recipients }
        if let listing { ports.listing = listing }
        if let receipts { ports.receipts = receipts }
        if let callbacks { ports.callbacks = callbacks }
        if let erasing { ports.erasing = erasing }
        if let messages { ports.messages = messages }
        (ports.media, ports.matrix, ports.signedReceipts) = (media, matrix, signedReceipts)
        let routes = ports.routes(coordinator, context, facts, clock: clock).map { group in
            RouteGroup(
                group.chapter,
                group.routes.filter { route in !(path.map { route.path.description.hasPrefix($0) } ?? false) })
        }
        let server = try HTTPServer(
            settings, context, access: access, routes: routes,
            logger: Logger(label: "test") { _ in log.handler }, onReady: { bound.yield($0) })
        let services = ServiceGroup(services: [server], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let ended = AsyncEvent()
        async let running: Void = {
            defer { ended.signal() }
            try await services.run()
        }()
        for await place in bounds {
            let bench = ServerBench(
                port: place.port ?? 0, monitoringPort: place.monitoringPort ?? 0,
                socketPath: place.socketPath ?? "", coordinator: coordinator, log: log,
                ended: ended, services: services)
            do {
                let result = try await body(bench)
                await services.triggerGracefulShutdown()
                try await running
                return result
            } catch {
                await services.triggerGracefulShutdown()
                try await running
                throw error
            }
        }
        throw CancellationError()
    }

    /// Returns a server that is not running.
    static func idle(
        _ settings: HTTPServerSettings, coordinator: FakeCoordinator = FakeCoordinator(),
        onReady: @escaping @Sendable (HTTPServer.Bound) async -> Void = { _ in }
    ) throws(HTTPServerError) -> HTTPServer {
        let context = CallContext(settings)
        let facts = DaemonFacts(version: "1", context)
        return try HTTPServer(
            settings, context, routes: BenchRoutes().routes(coordinator, context, facts, clock: SystemClock()),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, onReady: onReady)
    }

    /// The table of all routes.
    static let table: RouteTable = {
        let context = CallContext(HTTPServerSettings())
        let facts = DaemonFacts(version: "1", context)
        return RouteTable(BenchRoutes().routes(FakeCoordinator(), context, facts, clock: SystemClock()))
    }()

    func beginShutdown() async { await services.triggerGracefulShutdown() }

    /// Sends one request on a separate TCP connection, and returns the response.
    func send(
        _ method: String, _ target: String, _ fields: [String] = [], body: String = "", host: String = "localhost",
        port: Int? = nil
    ) async throws -> RawAnswer {
        try await RawConnection.open(to: .tcp(port ?? self.port)) { connection in
            let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
            let lines = (["Host: \(host)", "Connection: close"] + fields).map { $0 + "\r\n" }.joined()
            try await connection.send("\(method) \(target) HTTP/1.1\r\n\(lines)\(length)\r\n\(body)")
            return try await connection.readAnswer(toHead: method == "HEAD")
        }
    }
}
