package import AppGroupStore
package import Base
import HTTPAPI
package import HTTPCaching
package import LinuxIO
package import MediaFetcher
import NotificationModel
package import NotificationProcessor
import Sandbox
package import ServiceConfiguration
package import TranscodePool
import TranscodeProtocol

/// The notification pipeline with all of its stages. The stages do not import each other, and are connected only here.
///
/// To add a new part, do this: create it in the initializer of ``Runtime``, and pass it to the other parts as a port of
/// `NotificationModel`. Then end it in `shutdown()`, after the parts that use it. A part that only the daemon needs
/// belongs to `Daemon`, or to a feature.
package struct Runtime: Sendable {
    package let pipeline: NotificationPipeline
    package let fetcher: HTTPMediaFetcher
    package let store: AppGroupStore
    package let root: String
    /// The HTTP cache. The value is `nil` if the configuration has no quota for it.
    package let cache: ResponseCache?
    /// The thread of file work that syncs nothing: the HTTP cache, the string tables, and the spool of a daemon.
    package let files: EventLoop
    private let pool: TranscodePool
    private let strings: StringTables

    /// Creates all stages and the pipeline.
    ///
    /// - Parameter recentURLs: The number of URLs whose responses are known without a read of the HTTP cache's index.
    /// - Parameter budget: The division of a daemon's descriptors. The value is `nil` for all other commands.
    /// - Parameter warmingWorkers: The maximum number of workers that warm.
    /// - Parameter laboratory: The parts of the laboratory in place of the network; `nil` outside of the laboratory.
    /// - Parameter observer: A function that is called with the events of the fetcher.
    /// - Parameter workerObserver: A function that is called with the events of the worker pool.
    /// - Parameter warn: A function that takes a sentence about each problem of the container or the fetcher.
    /// - Throws: A failure with status 2 if the root or the installation cannot be used.
    package init(
        _ configuration: Configuration, clock: any RequestClock = SystemClock(), recentURLs: Int = 4_096,
        budget: DescriptorBudget? = nil, warmingWorkers: Int = 1, laboratory: LaboratoryNetwork? = nil,
        observer: @escaping @Sendable (FetchEvent) -> Void = { _ in },
        workerObserver: @escaping @Sendable (PoolEvent) -> Void = { _ in },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(CommandFailure) {
        let worker = try Installation.path(of: Installation.worker)
        try StoreVersions.checkMigrations(in: configuration.root)
        let options = try WorkerOptions(configuration)
        try Self.requireSandbox(of: worker, options)
        do throws(SystemError) { files = try EventLoop.start(name: "agd-files") } catch {
            throw CommandFailure(.failed, "the thread of the files cannot be started: \(error)")
        }
        strings = StringTables(root: configuration.root, on: files, warn: warn)
        let cache = try Self.cache(configuration, recentURLs, on: files, warn: warn)
        self.cache = cache
        do throws(SystemError) {
            store = try AppGroupStore(
                root: configuration.root, openIndexes: budget?.indexes ?? 4, warn: warn,
                freeSpace: { await cache?.evict($0) ?? false })
        } catch {
            throw CommandFailure(
                .usage, "--root \(configuration.root): \(error.reason): name a directory that this user can write to")
        }
        store.change(pinQuota: configuration.media.container.quota)
        root = configuration.root
        var policy = FetchPolicy(configuration)
        policy.hostStub = laboratory?.hostStub
        do throws(MediaFailure) {
            fetcher = try HTTPMediaFetcher(
                policy: policy, resolver: laboratory?.resolver, store: cache,
                userAgent: configuration.fetch.userAgent ?? "appgroupd/\(Installation.version)",
                observer: { event in
                    if case .certificatesUnreadable(let problem) = event { warn(problem) }
                    observer(event)
                })
        } catch {
            throw CommandFailure(.failed, error.detail)
        }
        do throws(SystemError) {
            pool = try TranscodePool(
                executable: worker, options: options, size: configuration.workers, warmingSize: warmingWorkers,
                limits: DecodeLimits(configuration), on: fetcher.loop, observer: workerObserver)
        } catch {
            throw CommandFailure(.failed, "the thread of the workers cannot be started: \(error)")
        }
        pipeline = NotificationPipeline(
            rules: GroupRules(configuration), tables: strings, fetcher: fetcher, transcoder: pool, store: store,
            mediaInFlight: budget?.media ?? min(configuration.requests.inFlight, DescriptorBudget.media()),
            clock: clock, executor: fetcher.executor)
    }

    /// Checks the sandbox of a worker.
    ///
    /// - Throws: A failure with status 2 if a required layer of the sandbox is not active.
    private static func requireSandbox(of worker: String, _ options: WorkerOptions) throws(CommandFailure) {
        guard options.requirement != .none else { return }
        let report: SandboxReport?
        do { report = try WorkerInspection.of(WorkerProgram(worker), options).sandbox } catch {
            throw CommandFailure(.usage, "--require-sandbox: \(worker) does not report its sandbox: \(error)")
        }
        guard let report else {
            throw CommandFailure(
                .usage, "--require-sandbox: \(worker) reports no sandbox: install both programs from one package")
        }
        let missing = report.missing(for: options.requirement)
        guard missing.isEmpty else {
            let words = missing.map { "\($0.layer.name) (\($0.detail))" }.joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "--require-sandbox: these layers are not active: \(words): 'appgroupd doctor' says how to fix it"
            )
        }
    }

    private static func cache(
        _ configuration: Configuration, _ recentURLs: Int, on files: EventLoop,
        warn: @escaping @Sendable (String) -> Void
    ) throws(CommandFailure) -> ResponseCache? {
        guard configuration.fetch.cache.quota > 0 else { return nil }
        do throws(SystemError) {
            return try ResponseCache(
                root: configuration.root, limits: configuration.fetch.cache, recentKeys: recentURLs, on: files,
                warn: warn)
        } catch {
            throw CommandFailure(.failed, "the thread of the HTTP cache cannot be started: \(error)")
        }
    }

    /// Frees space on a full disk for a write that must not fail, by evicting cached responses.
    ///
    /// - Returns: Whether any response was evicted.
    package func freeSpace(_ byteCount: Int) async -> Bool { await cache?.evict(byteCount) ?? false }

    /// The numbers of workers and of waiting jobs at the moment.
    package var workerLoad: PoolLoad { pool.load }

    /// Shuts down the transfers, the workers and the threads, in the order in which media pass through them. Call this
    /// function once, after the last request.
    package func shutdown() async {
        await fetcher.shutdown()
        await cache?.shutdown()
        await pool.shutdown()
        await store.shutdown()
        files.shutdown()
    }
}

/// The parts that `appgroupd lab run` puts in place of the network: the names, and the server that all connections reach. All
/// other stages are those of the daemon.
package struct LaboratoryNetwork: Sendable {
    package var resolver: any NameResolving
    package var hostStub: HostStub

    package init(resolver: any NameResolving, hostStub: HostStub) {
        self.resolver = resolver
        self.hostStub = hostStub
    }
}
