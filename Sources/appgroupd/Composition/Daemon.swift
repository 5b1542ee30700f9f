import AppGroupStore
import Authentication
import Base
import Batches
import Callbacks
import CommandSupport
import Composition
import Erasure
import Glibc
import HTTPAPI
import LinuxIO
import Logging
import Matrix
import MediaFetcher
import Messages
import NotificationModel
import NotificationProcessor
import Receivers
import Recordings
import RequestCoordinator
import RequestJournal
import Sandbox
import ServiceConfiguration
import ServiceLifecycle
import StoreTools
import Telemetry

/// The daemon, which creates the pipeline, the coordinator, the spool and the HTTP server, and runs them as services.
///
/// At the start, it locks the root, binds its addresses, and restores the requests of an earlier daemon. Then it
/// creates the directories of the spool, and reports that it is ready. The daemon refuses a configuration that it
/// cannot use, a locked root, and an address in use.
///
/// The daemon ends in the reverse order. First the spool stops claiming files. Then the coordinator refuses new
/// requests, and emits the accepted requests within their budgets. The HTTP server runs until the last result is
/// emitted, so that it can respond to the last callers. At the end, the journal is closed.
///
/// The first SIGTERM or SIGINT starts this sequence. A second signal ends the process at once. Each part has its own
/// threads, and `run` is an asynchronous function that returns after all of them have ended.
struct Daemon {
    private let configuration: Configuration
    private let budget: DescriptorBudget
    let inForce: ConfigurationInForce
    /// The sockets of the service manager.
    private let passed: PassedRoles
    let telemetry: Telemetry
    let logger: Logger
    private let lock: RootLock
    let clock: EventLoopClock
    private let largeThread: EventLoop
    /// The thread that reads renditions for downloads.
    private let mediaThread: EventLoop
    let runtime: Runtime
    let sandbox: WorkerSandboxWatch
    let journal: RequestJournal
    let coordinator: RequestCoordinator
    /// The recorder of failed requests; `nil` if nothing is recorded.
    private let recorder: RequestRecorder?
    let batches: Batches
    let eraser: Eraser
    let callbacks: Callbacks
    let caller: FetcherCaller
    let messages: NamedMessages
    let media: MediaServing
    let signedReceipts: SignedReceipts
    let matrix: MatrixGateway
    let spool: Spool
    private let evictionTask: EvictionTask
    private let payloadMemory: PayloadMemory
    /// The figures of the hosts from which media are fetched.
    let hosts: HostTable
    /// The metrics of the HTTP cache; `nil` if the daemon has no cache.
    private let cacheMetrics: CacheMetrics?
    private let access: AccessControl
    /// The certificate of the TCP address; `nil` if the daemon serves HTTP without TLS.
    private let certificate: ServerCertificate?
    private let rootIsLost = AsyncEvent()
    /// The current phase. The daemon never returns to an earlier phase.
    let phase = CurrentValue(DaemonPhase.starting)

    /// Locks the root and creates all parts.
    ///
    /// - Throws: A failure. Its status is 2 if the root, the installation or the configuration cannot be used. Its
    ///   status is 1 if another daemon has locked the root, or if a thread cannot be started.
    init(
        _ configuration: Configuration, passed: PassedRoles, telemetry: Telemetry
    ) async throws(CommandFailure) {
        self.configuration = configuration
        self.passed = passed
        budget = DescriptorBudget(configuration)
        inForce = ConfigurationInForce(configuration)
        self.telemetry = telemetry
        let logger = Logger(label: "appgroupd")
        self.logger = logger
        // Each block of more than 256 KiB gets a separate mapping. The C library would otherwise raise this limit, and
        // payloads of megabytes would leave holes in the heaps. With 64 callers, the daemon would have 349 MiB of
        // private memory instead of 227 MiB (`make chaos ONLY=bodies`).
        _ = Allocator.keep(blocksOf: 256 << 10, free: 1 << 20)
        lock = try RootLock(root: configuration.root, group: configuration.files.group)
        try Self.checkIndexes(in: configuration.root)
        clock = try CommandFailure.wrapping("the clock's thread cannot be started") { try EventLoopClock() }
        largeThread = try CommandFailure.wrapping("the thread for large payloads cannot be started") {
            try EventLoop.start(name: "agd-large")
        }
        mediaThread = try CommandFailure.wrapping("the thread for downloads cannot be started") {
            try EventLoop.start(name: "agd-media")
        }
        media = MediaServing(
            files: MediaFiles(root: configuration.root, on: mediaThread.tasks), clock: clock,
            urls: PerGroup(configuration) { MediaURLs($0) }, accelRedirect: configuration.media.accelRedirect)
        signedReceipts = SignedReceipts(ReceiptURLs(configuration))
        hosts = HostTable(at: .now)
        runtime = try Runtime(
            configuration, clock: clock, budget: budget,
            observer: FetchLog(logger: logger, hosts: hosts).note,
            workerObserver: WorkerLog(logger: logger).note, warn: { logger.error("\($0)") })
        sandbox = WorkerSandboxWatch(
            executable: try Installation.path(of: Installation.worker), options: try WorkerOptions(configuration),
            logger: logger)
        evictionTask = EvictionTask(
            runtime.store, limits: ContainerLimits(configuration), clock: clock,
            report: ContainerLog(logger: logger).tell)
        do throws(MediaFailure) {
            journal = try await RequestJournal(
                root: configuration.root, tables: Self.tables, limits: configuration.results,
                mostAtWork: configuration.requests.inFlight,
                on: runtime.store.disk, lookingUpOn: runtime.files,
                freeSpace: { [runtime] in await runtime.freeSpace($0) }, lost: { [rootIsLost] in rootIsLost.signal() },
                warn: { logger.error("\($0)") })
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
        runtime.pipeline.use(journal)
        matrix = MatrixGateway(MatrixGateway.Settings(configuration), logger: logger) { [journal] group, pushkey in
            await !journal.deadNames(among: [pushkey], in: group).isEmpty
        }
        let large = LargePayloadExecutor(largeThread.tasks)
        let recorder = try await Self.recorder(configuration, inForce, clock, logger)
        self.recorder = recorder
        let decoder: any RequestDecoding
        if let recorder { decoder = RecordingDecoder(runtime.pipeline, recorder) } else { decoder = runtime.pipeline }
        coordinator = RequestCoordinator(
            decoder: decoder, journal: journal, clock: clock,
            limits: .init(
                requests: configuration.requests.inFlight + configuration.requests.queued,
                inFlight: configuration.requests.inFlight),
            groupLimits: PerGroup(configuration, \.requests.perGroup), large: large, logger: logger)
        batches = Batches(
            .init(
                limits: BatchLimits(mostBytes: configuration.batches.maxBytes), quota: configuration.batches.quota,
                retention: configuration.batches.retention),
            intake: coordinator, templates: journal,
            planner: BatchPlanner(runtime: runtime, configuration: inForce, clock: clock),
            // At most half of the queue, so that single requests always have room.
            turns: BatchTurns(
                units: min(
                    BatchLimits.units, (configuration.requests.inFlight + configuration.requests.queued) / 2)),
            root: "\(configuration.root)/\(RequestJournal.directoryName)", on: runtime.store.disk, large: large,
            clock: clock, logger: logger, freeSpace: { [runtime] in await runtime.freeSpace($0) },
            problem: BatchProblems.json)
        // The coordinator cancels requests first, so that their results are removed by the other stores.
        eraser = Eraser(
            records: journal,
            stores: ErasurePlaces.checked([
                coordinator,
                SpoolErasure(
                    root: configuration.root, on: runtime.files, mostBytes: SpoolLimits().fileBytes,
                    isServed: { [inForce] in inForce.value.groups.served.contains($0) }),
                batches, runtime.store, RecordingErasure(recorder),
            ]), reader: runtime.pipeline, clock: clock, logger: logger)
        caller = FetcherCaller(runtime.fetcher, configuration, most: budget.callbacks)
        callbacks = Callbacks(
            Callbacks.Settings(configuration), store: journal, caller: caller, clock: clock, logger: logger)
        messages = NamedMessages(
            .init(retention: configuration.messages.retention, quota: configuration.messages.quota),
            coordinator: coordinator, reader: runtime.pipeline, store: journal, files: runtime.store, large: large,
            clock: clock, logger: logger)
        payloadMemory = PayloadMemory(configuration, memoryLimit: ControlGroupMemory.limit())
        if let limit = payloadMemory.reducingLimit {
            logger.notice(
                "the memory limit of the control group leaves less room for large payloads",
                metadata: ["limit": "\(limit)", "room": "\(payloadMemory.largeBodyBytes)"])
        }
        access = AccessControl(Authenticator(configuration))
        do throws(CertificateFiles.Unusable) {
            if let files = CertificateFiles(configuration.tls) {
                certificate = try ServerCertificate(files, on: runtime.files, clock: clock, logger: logger)
            } else {
                certificate = nil
            }
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
        var spoolLimits = SpoolLimits()
        spoolLimits.watches = WatchBudget.ofDaemon
        do throws(SystemError) {
            spool = try Spool(
                root: configuration.root, groups: configuration.groups.served, coordinator: coordinator, clock: clock,
                logger: logger, limits: spoolLimits, large: large, memory: payloadMemory.bodies,
                values: payloadMemory.values, on: runtime.files, syncing: runtime.store.disk,
                freeSpace: { [runtime] in await runtime.freeSpace($0) })
        } catch {
            throw CommandFailure(.failed, "the spool cannot be watched: \(error)")
        }
        telemetry.metrics.add(ResourceMetrics(store: runtime.store, spool: spool).families)
        telemetry.metrics.add(CallbackGauges(callbacks: callbacks, clock: clock).families)
        telemetry.metrics.add(RestingHostReport(table: runtime.fetcher.resting).families)
        telemetry.metrics.add(hosts.families)
        telemetry.metrics.add(
            LoadMetrics(
                requests: { [coordinator] in coordinator.load }, workers: { [runtime] in runtime.workerLoad },
                batches: { [batches] in batches.figures }
            ).families)
        if let recorder { telemetry.metrics.add(recorder.families) }
        cacheMetrics = runtime.cache.map { [clock] in CacheMetrics(cache: $0, clock: clock) }
        if let cacheMetrics { telemetry.metrics.add(cacheMetrics.families) }
    }

    /// The number of app groups whose indexes are checked before the start. Each check takes less than a millisecond. The
    /// other indexes are checked when they are opened, before anything is written.
    private static let mostCheckedIndexes = 1_000

    /// Refuses a root that a newer version has used, if one of the first indexes shows it. The journal is checked when it
    /// is opened.
    ///
    /// - Throws: A failure with status 1 that names the first index of a newer version.
    private static func checkIndexes(in root: String) throws(CommandFailure) {
        for group in AppGroupStore.groups(in: root).prefix(mostCheckedIndexes) {
            let path = "\(root)/\(group)/index.sqlite"
            if ContainerIndex.isNewer(path) { throw CommandFailure(.failed, "\(path): \(NewerIndex())") }
        }
    }

    /// Serves until a signal, and returns after the last accepted request is emitted. `reload` is called after SIGHUP.
    ///
    /// - Parameter reload: A function that loads the configuration again, and keeps the given groups whose new settings
    ///   are invalid.
    func run(
        reload: @escaping @Sendable (AppGroups) -> Result<Configuration, ConfigurationErrors>
    ) async throws {
        let (server, services) = try services()
        // Only developers need the messages of the service group, so only its errors are logged.
        var quiet = logger
        quiet.logLevel = .error
        let group = ServiceGroup(services: services, logger: quiet)
        let reloading = ReloadSignal { reconfigure(reload(inForce.value.groups)) }
        let ending = Task {
            await TerminationSignal.wait()
            guard !Task.isCancelled else { return }
            try? ServiceNotifier().stopping(status: "draining")
            await server.handOver()
            phase.update { $0 = .draining }
            logger.notice("ending: accepted requests are emitted within their budgets; a second signal ends at once")
            await group.triggerGracefulShutdown()
        }
        defer { ending.cancel() }
        do { try await group.run() } catch let failure as CommandFailure {
            throw CommandFailure(.failed, failure.message ?? "the daemon failed")
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
        reloading.end()
        await journal.shutdown()
        recorder?.shutdown()
        await runtime.shutdown()
        largeThread.shutdown()
        mediaThread.shutdown()
        clock.shutdown()
        logger.notice("ended")
        await telemetry.flush(within: .seconds(1))
    }

    /// Returns the server and all services. The service group starts them together, and ends them from the last to the
    /// first.
    private func services() throws(CommandFailure) -> (HTTPServer, [any Service]) {
        var settings = HTTPServerSettings(configuration, passed: passed)
        settings.mostConnections = min(settings.mostConnections, budget.callers)
        settings.mostBatches = min(settings.mostBatches, budget.batches)
        settings.certificate = certificate
        settings.mostBodyBytes = configuration.requests.bodyBytes
        settings.mostWarmingBytes = min(settings.mostWarmingBytes, payloadMemory.largeBodyBytes / 4)
        let (bound, bind) = AsyncStream.makeStream(of: HTTPServer.Bound.self, bufferingPolicy: .bufferingOldest(1))
        do throws(HTTPServerError) {
            let context = CallContext(
                settings, clock: clock, large: LargePayloadExecutor(largeThread.tasks), bodies: payloadMemory.bodies,
                values: payloadMemory.values, phase: { [phase] in phase.value })
            let server = try HTTPServer(
                settings, context, access: access, routes: routes(context), logger: logger,
                onReady: { bind.yield($0) })
            telemetry.metrics.add(DescriptorMetrics(budget: budget, uses: uses(server)).families)
            let keeping = ClosureService { [evictionTask] in
                await cancelWhenGracefulShutdown { await evictionTask.run() }
            }
            let life = lifeSigns(of: server)
            let measuring: [any Service] =
                cacheMetrics.map { metrics in
                    [ClosureService { await cancelWhenGracefulShutdown { await metrics.run() } }]
                } ?? []
            let services: [any Service] = [
                server, ClosureService { await cancelWhenGracefulShutdown { await life.run() } }, keeping, resting(),
                watchingRoot(), coordinator, batches, messages,
                ClosureService { [eraser, phase] in
                    await cancelWhenGracefulShutdown {
                        // The stores have all data of an earlier daemon when it is ready.
                        if await phase.wait(until: { $0 == .ready }) { await eraser.run() }
                    }
                },
                ClosureService { [callbacks] in await cancelWhenGracefulShutdown { await callbacks.run() } },
                ClosureService { try await open(bound, server) },
            ]
            return (server, services + measuring)
        } catch {
            throw CommandFailure(.usage, "listen: \(error)")
        }
    }

    /// Returns the service that ends the process when the root has been removed, because without the root no data can
    /// be made durable. The supervisor starts a new daemon, which creates the root again or reports why this fails.
    ///
    /// The service does not wait for running requests, since their results cannot be stored. Their callers first get
    /// the status 503.
    private func watchingRoot() -> ClosureService {
        ClosureService { [rootIsLost, clock, telemetry, root = configuration.root] in
            await cancelWhenGracefulShutdown { await rootIsLost.wait() }
            guard rootIsLost.isSignalled else { return }
            await clock.sleep(until: clock.now.advanced(by: .milliseconds(500)))
            await telemetry.flush(within: .seconds(1))
            StandardStreams.error(
                "appgroupd: --root \(root) was removed or replaced while the daemon ran: start it again")
            // `exit` would run exit handlers while other threads still use the same objects. `_exit` runs no handlers.
            Glibc._exit(ExitStatus.failed.rawValue)
        }
    }

    /// Returns the service that returns free memory to the system after a burst of requests.
    private func resting() -> ClosureService {
        let quiet = IdleMonitor(
            of: { [coordinator] in coordinator.load }, processorTime: { ProcessorTime.now }, clock: clock,
            use: giveMemoryBack)
        return ClosureService { await cancelWhenGracefulShutdown { await quiet.run() } }
    }

    private func giveMemoryBack() async {
        await Task(executorPreference: largeThread.tasks) {
            let before = clock.now
            Allocator.trim()
            logger.debug(
                "memory returned to the system", metadata: ["ms": "\(before.duration(to: clock.now).milliseconds)"])
        }.value
    }

    /// Restores the requests of an earlier daemon, reports that the daemon is ready, and runs the spool.
    ///
    /// The method is called after all addresses are bound, so that a daemon that cannot start changes no request.
    private func open(_ bound: AsyncStream<HTTPServer.Bound>, _ server: HTTPServer) async throws {
        guard let bound = await cancelWhenGracefulShutdown({ await bound.first { _ in true } }) else {
            return spool.abandon()
        }
        do {
            let recovered = try await coordinator.recover()
            try await batches.recover()
            await messages.recover()
            try await spool.prepare(journaled: recovered)
            if !recovered.isEmpty {
                logger.notice(
                    "restored the requests of an earlier daemon", metadata: ["requests": "\(recovered.count)"])
            }
        } catch {
            throw CommandFailure(.failed, (error as? MediaFailure)?.detail ?? "the spool cannot be used: \(error)")
        }
        phase.update { if $0 == .starting { $0 = .ready } }
        server.open()
        tellReady(bound)
        async let _: Void = sandbox.look()
        await spool.run()
    }

    private func tellReady(_ bound: HTTPServer.Bound) {
        var metadata: Logger.Metadata = ["root": "\(configuration.root)", "version": "\(Installation.version)"]
        metadata["socket"] = bound.socketPath.map { "\($0)" }
        let host = passed.tcp?.host ?? configuration.listen?.host
        metadata["listen"] = host.flatMap { host in bound.port.map { "\(host):\($0)" } }
        metadata["metrics"] = bound.monitoringPort.map { "\($0)" }
        logger.notice("ready", metadata: metadata)
        for warning in configuration.groups.warnings { logger.warning("\(warning)") }
        if certificate == nil, !HTTPServerSettings(configuration, passed: passed).isLocal {
            logger.warning(
                "tokens are sent in clear text: set tls.certificateFile, or let a proxy serve HTTPS",
                metadata: ["listen": "\(host ?? "")"])
        }
        let wanted = DescriptorBudget.wanted(configuration)
        if budget.openFiles < wanted {
            logger.notice("the limit of \(budget.openFiles) open files permits \(budget.words); \(wanted) permit all")
        }
        do throws(SystemError) { try ServiceNotifier().ready(status: lifeStatus()) } catch {
            logger.warning("the service manager cannot be notified: \(error)")
        }
    }

    private func reconfigure(_ loaded: Result<Configuration, ConfigurationErrors>) {
        try? ServiceNotifier().reloading()
        defer { try? ServiceNotifier().ready() }
        // A program that moves log files sends SIGHUP, whether the configuration is valid or not.
        telemetry.reopen()
        switch loaded {
        case .failure(let errors):
            for line in errors.lines { logger.error("not reloaded: \(line) (the old configuration stays in force)") }
        case .success(let loaded):
            let (difference, configuration) = inForce.reload(from: loaded)
            runtime.fetcher.change(FetchPolicy(configuration))
            // The new keys are known before the first URL is signed with them.
            media.change(PerGroup(configuration) { MediaURLs($0) })
            signedReceipts.change(ReceiptURLs(configuration))
            matrix.change(MatrixGateway.Settings(configuration))
            runtime.pipeline.change(GroupRules(configuration))
            spool.change(configuration.groups.served)
            coordinator.change(PerGroup(configuration, \.requests.perGroup))
            certificate?.refresh()
            access.change(Authenticator(configuration))
            caller.change(configuration)
            callbacks.change(Callbacks.Settings(configuration))
            evictionTask.change(ContainerLimits(configuration))
            runtime.store.change(pinQuota: configuration.media.container.quota)
            for (group, lines) in configuration.groups.invalid.sorted(by: { $0.key < $1.key }) {
                let effect = configuration.groups[group] == nil ? "it is not served" : "its old settings stay in force"
                for line in lines { logger.error("the settings of \(group) are not reloaded: \(line) (\(effect))") }
            }
            // The changes are in force before they are logged. They are logged at the old log level.
            for words in difference.words { logger.notice("\(words)") }
            if difference.isEmpty { logger.notice("reloaded: nothing has changed") }
            telemetry.change(LogSettings(configuration.log))
        }
    }
}

extension Authenticator {
    /// Creates the check of the callers of a configuration.
    convenience init(_ configuration: Configuration) {
        self.init(tokens: configuration.tokens, issuers: configuration.auth.issuers)
    }
}

/// A service that consists of one function.
struct ClosureService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws { try await body() }
}
