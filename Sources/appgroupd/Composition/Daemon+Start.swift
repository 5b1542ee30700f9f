import AppGroupStore
import Base
import FeatureKit
import Features
import Glibc
import HTTPAPI
import LinuxIO
import Logging
import NotificationModel
import RequestCoordinator
import RequestJournal
import ServiceConfiguration
import ServiceLifecycle
import Telemetry

/// The life of a daemon: its services, the requests of an earlier daemon, the report that it is ready, and its end.
extension Daemon {
    /// Serves until a signal, and returns after the last accepted request is emitted. `reload` is called after SIGHUP.
    ///
    /// - Parameter reloading: The receiver of SIGHUP.
    /// - Parameter reload: A function that loads the configuration again, and keeps the given groups whose new settings
    ///   are invalid.
    func run(
        _ reloading: ReloadSignal,
        reload: @escaping @Sendable (AppGroups) -> Result<Configuration, ConfigurationErrors>
    ) async throws {
        let (server, services) = try services {
            reloading.begin { reconfigure(reload(core.current.value.groups)) }
        }
        // Only developers need the messages of the service group, so only its errors are logged.
        var quiet = logger
        quiet.logLevel = .error
        let group = ServiceGroup(services: services, logger: quiet)
        let ending = Task {
            await TerminationSignal.wait()
            guard !Task.isCancelled else { return }
            try? ServiceNotifier().stopping(status: "draining")
            await server.handOver()
            core.phase.update { $0 = .draining }
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
        await core.journal.shutdown()
        recorder?.shutdown()
        await runtime.shutdown()
        largeThread.shutdown()
        for feature in features { feature.shutdown() }
        clock.shutdown()
        logger.notice("ended")
        await telemetry.flush(within: .seconds(1))
    }

    /// Returns the server and all services. The service group starts them together, and ends them from the last to the
    /// first.
    ///
    /// - Parameter whenReady: A function that is called when the daemon has reported that it is ready.
    func services(whenReady: @escaping @Sendable () -> Void) throws(CommandFailure) -> (HTTPServer, [any Service]) {
        var settings = HTTPServerSettings(configuration, passed: passed)
        settings.maxConnections = min(settings.maxConnections, core.budget.callers)
        settings.maxBatches = min(settings.maxBatches, core.budget.batches)
        settings.certificate = certificate
        settings.maxBodyBytes = configuration.requests.bodyBytes
        settings.maxWarmingBytes = min(settings.maxWarmingBytes, payloadMemory.largeBodyBytes / 4)
        let (bound, bind) = AsyncStream.makeStream(of: HTTPServer.Bound.self, bufferingPolicy: .bufferingOldest(1))
        do throws(HTTPServerError) {
            let context = CallContext(
                settings, clock: clock, large: core.large, bodies: payloadMemory.bodies, values: payloadMemory.values,
                phase: { [phase = core.phase] in phase.value },
                lastSingleRequest: { [coordinator = core.coordinator] in coordinator.lastSingleRequest })
            let server = try HTTPServer(
                settings, context, access: access, routes: routes(context), logger: logger,
                onReady: { bind.yield($0) })
            telemetry.metrics.add(DescriptorMetrics(budget: core.budget, uses: uses(server)).families)
            func running(_ body: @escaping @Sendable () async -> Void) -> ClosureService {
                ClosureService { await cancelWhenGracefulShutdown { await body() } }
            }
            let life = lifeSigns(of: server)
            var services: [any Service] = [
                server, running { await life.run() }, running { [evictionTask] in await evictionTask.run() }, resting(),
                watchingRoot(), core.coordinator,
            ]
            services += features.flatMap(\.services)
            services.append(ClosureService { try await open(bound, server, whenReady) })
            if let cacheMetrics { services.append(running { await cacheMetrics.run() }) }
            return (server, services)
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
            of: { [coordinator = core.coordinator] in coordinator.load }, processorTime: { ProcessorTime.now },
            freeBytes: { Allocator.freeBytes }, clock: clock, use: giveMemoryBack)
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
    private func open(
        _ bound: AsyncStream<HTTPServer.Bound>, _ server: HTTPServer, _ whenReady: @Sendable () -> Void
    ) async throws {
        guard let bound = await cancelWhenGracefulShutdown({ await bound.first { _ in true } }) else {
            return spool.abandon()
        }
        do {
            let recovered = try await core.coordinator.recover()
            for feature in features { try await feature.recover() }
            try await spool.prepare(journaled: recovered)
            if !recovered.isEmpty {
                logger.notice(
                    "restored the requests of an earlier daemon", metadata: ["requests": "\(recovered.count)"])
            }
        } catch {
            throw CommandFailure(.failed, (error as? MediaFailure)?.detail ?? "the spool cannot be used: \(error)")
        }
        do throws(SystemError) { try StoreVersions.noteProgram(in: configuration.root) } catch {
            logger.warning("the version of the program cannot be written: \(error)")
        }
        core.phase.update { if $0 == .starting { $0 = .ready } }
        server.open()
        tellReady(bound)
        whenReady()
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
        let reserved = RootFolder(path: configuration.root).reservedNames
        for warning in configuration.groups.warnings + configuration.auth.warnings + reserved {
            logger.warning("\(warning)")
        }
        if certificate == nil, !HTTPServerSettings(configuration, passed: passed).isLocal {
            logger.warning(
                "tokens are sent in clear text: set tls.certificateFile, or let a proxy serve HTTPS",
                metadata: ["listen": "\(host ?? "")"])
        }
        let wanted = DescriptorBudget.wanted(configuration)
        if core.budget.openFiles < wanted {
            logger.notice(
                "the limit of \(core.budget.openFiles) open files permits \(core.budget.words); \(wanted) permit all")
        }
        do throws(SystemError) { try ServiceNotifier().ready(status: lifeStatus()) } catch {
            logger.warning("the service manager cannot be notified: \(error)")
        }
    }
}
