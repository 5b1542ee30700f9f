import AppGroupStore
import Authentication
import Base
import FeatureKit
import Features
import HTTPAPI
import LinuxIO
import Logging
import NotificationModel
import NotificationProcessor
import RequestCoordinator
import RequestJournal
import Sandbox
import ServiceConfiguration
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
    let core: DaemonCore
    /// The features, in the order in which they were created.
    let features: [any Feature]
    /// The sockets of the service manager.
    let passed: PassedRoles
    let telemetry: Telemetry
    private let lock: RootLock
    let largeThread: EventLoop
    let sandbox: WorkerSandboxWatch
    /// The recorder of failed requests; `nil` if nothing is recorded. It reads what the pipeline decodes, so it is created
    /// before the coordinator.
    let recorder: RequestRecorder?
    let spool: Spool
    let evictionTask: EvictionTask
    let payloadMemory: PayloadMemory
    /// The figures of the hosts from which media are fetched.
    let hosts: HostTable
    /// The metrics of the HTTP cache; `nil` if the daemon has no cache.
    let cacheMetrics: CacheMetrics?
    let access: AccessControl
    /// The certificate of the TCP address; `nil` if the daemon serves HTTP without TLS.
    let certificate: ServerCertificate?
    let rootIsLost: AsyncEvent

    var configuration: Configuration { core.configuration }
    var logger: Logger { core.logger }
    var clock: EventLoopClock { core.clock }
    var runtime: Runtime { core.runtime }

    /// Locks the root and creates all parts.
    ///
    /// - Throws: A failure. Its status is 2 if the root, the installation or the configuration cannot be used. Its
    ///   status is 1 if another daemon has locked the root, or if a thread cannot be started.
    init(
        _ configuration: Configuration, passed: PassedRoles, telemetry: Telemetry
    ) async throws(CommandFailure) {
        (self.passed, self.telemetry) = (passed, telemetry)
        let (budget, current) = (DescriptorBudget(configuration), CurrentConfiguration(configuration))
        let logger = Logger(label: "appgroupd")
        // Each block of more than 256 KiB gets a separate mapping. The C library would otherwise raise this limit, and
        // payloads of megabytes would leave holes in the heaps. With 64 callers, the daemon would have 349 MiB of
        // private memory instead of 227 MiB (`make chaos ONLY=bodies`).
        _ = Allocator.keep(blocksOf: 256 << 10, free: 1 << 20)
        lock = try RootLock(root: configuration.root, group: configuration.files.group)
        try StoreVersions.checkIndexes(in: configuration.root)
        let clock = try CommandFailure.wrapping("the clock's thread cannot be started") { try EventLoopClock() }
        let largeThread = try CommandFailure.wrapping("the thread for large payloads cannot be started") {
            try EventLoop.start(name: "agd-large")
        }
        self.largeThread = largeThread
        hosts = HostTable(at: .now)
        let runtime = try Runtime(
            configuration, clock: clock, budget: budget, observer: FetchLog(logger: logger, hosts: hosts).note,
            workerObserver: WorkerLog(logger: logger).note, warn: { logger.error("\($0)") })
        sandbox = WorkerSandboxWatch(
            executable: try Installation.path(of: Installation.worker), options: try WorkerOptions(configuration),
            logger: logger)
        evictionTask = EvictionTask(
            runtime.store, limits: ContainerLimits(configuration), clock: clock,
            report: ContainerLog(logger: logger).tell)
        let rootIsLost = AsyncEvent()
        self.rootIsLost = rootIsLost
        let journal: RequestJournal
        do throws(MediaFailure) {
            journal = try await RequestJournal(
                root: configuration.root, tables: Features.tables, limits: configuration.results,
                maxAtWork: configuration.requests.inFlight, on: runtime.store.disk, lookingUpOn: runtime.files,
                freeSpace: { await runtime.freeSpace($0) }, lost: { rootIsLost.signal() },
                warn: { logger.error("\($0)") })
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
        runtime.pipeline.use(journal)
        let large = LargePayloadExecutor(largeThread.tasks)
        let recorder = try await RequestRecorder.open(configuration, clock, logger) {
            current.value.of(group: $0.description)
        }
        self.recorder = recorder
        let decoder: any RequestDecoding
        if let recorder { decoder = RecordingDecoder(runtime.pipeline, recorder) } else { decoder = runtime.pipeline }
        let coordinator = RequestCoordinator(
            decoder: decoder, journal: journal, clock: clock,
            limits: .init(
                requests: configuration.requests.inFlight + configuration.requests.queued,
                inFlight: configuration.requests.inFlight),
            groupLimits: PerGroup(configuration, \.requests.perGroup), large: large, logger: logger)
        let spooled = SpoolErasure(
            root: configuration.root, on: runtime.files, maxBytes: SpoolLimits().fileBytes,
            isServed: { current.value.groups.served.contains($0) })
        core = DaemonCore(
            configuration: configuration, current: current, budget: budget, clock: clock, runtime: runtime,
            journal: journal, coordinator: coordinator,
            stores: [coordinator, spooled, runtime.store, RecordingErasure(recorder)], large: large, logger: logger,
            phase: CurrentValue(DaemonPhase.starting))
        features = try await Features.create(core)
        ErasurePlaces(Features.all).check(core.stores + features.flatMap(\.stores))
        payloadMemory = PayloadMemory(configuration, memoryLimit: ControlGroupMemory.limit())
        if let limit = payloadMemory.reducingLimit {
            logger.notice(
                "the memory limit of the control group leaves less room for large payloads",
                metadata: ["limit": "\(limit)", "room": "\(payloadMemory.largeBodyBytes)"])
        }
        access = AccessControl(Authenticator(configuration))
        do throws(CertificateFiles.Unusable) {
            certificate = try CertificateFiles(configuration.tls).map { files throws(CertificateFiles.Unusable) in
                try ServerCertificate(files, on: runtime.files, clock: clock, logger: logger)
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
                freeSpace: { await runtime.freeSpace($0) })
        } catch {
            throw CommandFailure(.failed, "the spool cannot be watched: \(error)")
        }
        cacheMetrics = runtime.cache.map { CacheMetrics(cache: $0, clock: clock) }
        addMetrics()
    }
}
