import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration
import Warming

/// A run of a batch, from its journal to its report, by a pipeline of this process or by a daemon.
struct WarmBatchRun {
    struct Ending {
        var report: WarmReport
        var isInterrupted: Bool
        /// The daemon of `--via` has been gone for a minute, which interrupts the run.
        var isDaemonLost: Bool
    }

    let configuration: Configuration
    let limits: WarmSchedule.Limits
    /// The address of the daemon; `nil`: this process does the work.
    let via: String?
    let journal: WarmJournalFile
    let sources: WarmSources
    /// `nil`: a bar on a terminal, plain lines elsewhere.
    let progress: ProgressMode?

    /// - Throws: if the work cannot begin, or the journal cannot be written.
    func run() async throws(CommandFailure) -> Ending {
        let runtime = try via == nil ? runtime() : nil
        let watch = DaemonWatch(clock: SystemClock())
        let interruption = AsyncEvent()
        _ = watch.loss.whenSignalled { interruption.signal() }
        let result: Result<WarmReport, CommandFailure>
        do throws(CommandFailure) {
            let warmer = try await warmer(runtime, watch)
            let opened = try await journal.open()
            defer { opened.journal.shutdown() }
            let run = WarmRun(
                warmer: warmer, journal: opened.journal, history: opened.history, limits: limits,
                budget: configuration.budget, clock: SystemClock())
            result = .success(try await finish(run, interruption))
        } catch {
            result = .failure(error)
        }
        // The workers and the threads end before the process does, also after a failure.
        await runtime?.shutdown()
        return Ending(
            report: try result.get(), isInterrupted: interruption.isSignalled, isDaemonLost: watch.loss.isSignalled)
    }

    /// Runs to the end, or to the end of all that runs after an interruption.
    private func finish(
        _ run: WarmRun, _ interruption: AsyncEvent
    ) async throws(CommandFailure) -> WarmReport {
        var console = WarmConsole(progress)
        let signals = Task {
            await TerminationSignal.wait()
            interruption.signal()
        }
        defer {
            signals.cancel()
            console.end()
        }
        do throws(SystemError) {
            return try await run.run(
                { intake in
                    await sources.read { item in
                        switch item {
                        case .success(let item): await intake.add(item)
                        case .failure(let problem): await intake.add(problem)
                        }
                    }
                }, interruption: interruption, observe: { console.show($0) })
        } catch {
            throw CommandFailure(
                .failed, "\(journal.path): \(error): the run has ended; run the command again to continue it")
        }
    }

    /// A pipeline that leaves the processors to everybody else, and remembers little: each URL comes once.
    private func runtime() throws(CommandFailure) -> Runtime {
        ProcessPriority.lower()
        return try Runtime(
            configuration, recentURLs: 256, warmingWorkers: configuration.workers,
            complain: { StandardStreams.error("appgroupd: \($0)") })
    }

    /// - Parameter runtime: `nil`: the daemon of `--via` does the work.
    private func warmer(_ runtime: Runtime?, _ watch: DaemonWatch) async throws(CommandFailure) -> any MediaWarming {
        guard let runtime else { return try await RemoteWarmer(via: via ?? "", watch) }
        return PipelineWarmer(
            pipeline: runtime.pipeline, dialects: runtime.rules.value.dialects, clock: SystemClock())
    }
}
