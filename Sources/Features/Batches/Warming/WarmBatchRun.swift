import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

/// A run of a batch, from its journal to its report. The work is done by a pipeline in this process, or by a daemon.
struct WarmBatchRun {
    struct Ending {
        var report: WarmReport
        var isInterrupted: Bool
        /// The reason why the run no longer waits for the daemon of `--via`, and is therefore interrupted; otherwise
        /// `nil`.
        var daemonSilence: String?
    }

    let configuration: Configuration
    let limits: WarmSchedule.Limits
    /// The address of the daemon that does the work; `nil` if this process does the work.
    let via: String?
    /// The token for this daemon; `nil` if it needs none.
    let token: SecretText?
    /// The maximum time without an answer of the daemon.
    let giveUp: Duration
    let journal: WarmJournalFile
    let sources: WarmSources
    /// The form of the progress; `nil` for a bar on a terminal, and plain lines elsewhere.
    let progress: ProgressMode?

    /// Runs the batch to its end. Throws a failure if the work cannot begin, or if the journal cannot be written.
    func run() async throws(CommandFailure) -> Ending {
        // A cancelled sleep of `SystemClock` keeps its memory until its deadline. The memory is 2 kB for each item that
        // ended in the last 30 s, or 380 MB at 6,000 items per second.
        let clock = try CommandFailure.wrapping("the clock's thread cannot be started") { try EventLoopClock() }
        defer { clock.shutdown() }
        let runtime = try via == nil ? runtime(clock) : nil
        let watch = DaemonWatch(patience: giveUp, clock: clock)
        let interruption = AsyncEvent()
        _ = watch.loss.whenSignalled { interruption.signal() }
        let signal = TerminationSignal()
        let signals = Task {
            await signal.wait()
            interruption.signal()
        }
        defer { signals.cancel() }
        let result: Result<WarmReport, CommandFailure>
        do throws(CommandFailure) {
            let warmer = try await warmer(runtime, watch, interruption)
            let opened = try await journal.open()
            defer { opened.journal.shutdown() }
            if let notice = journal.notice(of: opened.history), Verbosity.current != .quiet {
                StandardStreams.warn(notice)
            }
            let run = WarmRun(
                warmer: warmer, journal: opened.journal, history: opened.history, limits: limits,
                budget: configuration.budget, clock: clock)
            result = .success(try await finish(run, interruption))
        } catch {
            result = .failure(error)
        }
        // The workers and threads end before the process ends, even after a failure.
        await runtime?.shutdown()
        return Ending(
            report: try result.get(), isInterrupted: interruption.isSignalled,
            daemonSilence: watch.loss.isSignalled ? watch.silence : nil)
    }

    /// Runs the batch to its end. After an interruption, the method waits only for the items that are in progress.
    private func finish(_ run: WarmRun, _ interruption: AsyncEvent) async throws(CommandFailure) -> WarmReport {
        var console = WarmConsole(progress)
        defer { console.end() }
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

    /// Returns a pipeline with a low priority, so that other processes get the processors first. It keeps few URLs in
    /// memory, because each URL occurs only once.
    private func runtime(_ clock: EventLoopClock) throws(CommandFailure) -> Runtime {
        ProcessPriority.lower()
        return try Runtime(
            configuration, clock: clock, recentURLs: 256, warmingWorkers: configuration.workers,
            warn: StandardStreams.warn)
    }

    private func warmer(
        _ runtime: Runtime?, _ watch: DaemonWatch, _ interruption: AsyncEvent
    ) async throws(CommandFailure) -> any MediaWarming {
        guard let runtime else {
            do throws(CommandFailure) {
                return try await RemoteWarmer(via: via ?? "", token: token, watch, interruption)
            } catch {
                guard interruption.isSignalled else { throw error }
                throw CommandFailure(.interrupted, "interrupted: \(journal.continuation)")
            }
        }
        return PipelineWarmer(pipeline: runtime.pipeline, clock: watch.clock)
    }
}

/// The conversion of the flags into a batch.
extension WarmCommand {
    /// Returns the sources of the batch, with the reader of their items.
    func reading(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmSources {
        var defaults = RequestDefaults(configuration)
        defaults.profile = profiles.first ?? defaults.profile
        let now = Date()
        return WarmSources(
            names: sources, format: from,
            items: WarmItemReader(
                format: from,
                entries: WarmEntryReader(
                    form: .source,
                    defaults: .init(
                        profiles: profiles, appGroup: group, keepUntil: keep.flatMap { KeepTime.date($0, at: now) },
                        budget: configuration.budget),
                    now: now, date: { KeepTime.date($0, at: now) },
                    payloadURL: PayloadRules(configuration).firstLocation(defaults, SystemClock()))))
    }

    /// Returns the identity of the batch. The identity includes everything that has an effect on the renditions, so
    /// that no journal is continued for a different batch.
    func batch(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmBatch {
        WarmBatch(
            sources: sources.map { $0 == "-" || WarmSources.isURL($0) ? $0 : AbsolutePath.of($0) },
            target: via.map { $0.contains("://") ? $0 : AbsolutePath.of($0) } ?? AbsolutePath.of(configuration.root),
            options: profiles.map(\.name) + [
                group.description, keep ?? "", from?.rawValue ?? "", "\(limits.maxBytes ?? 0)",
            ])
    }
}
