import ArgumentParser
import FoundationEssentials
import HTTPAPI
import JSON
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration
import Warming

struct WarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Make media ready before the notifications are sent that show them.",
        discussion: """
            Reads URLs (one a line), NDJSON ({"url", "profiles", "group", "keepUntil"}) or payloads of any dialect, \
            fetches their media and makes the renditions, so that later notifications find them in the container. A \
            daemon may run beside it. docs/warm.md has the details.

            Each item that has ended is written to a journal. The same command continues a run that was interrupted or \
            killed: nothing that is done is asked for again.

            Status 0: all is warm, or no more failed than --tolerate permits. Status 1: more failed. Status 130: \
            interrupted; standard error says how to continue.

            Examples:
              appgroupd warm --root ./var urls.txt
              appgroupd warm --root ./var --profile ios --profile web --keep 14d campaign.ndjson
              appgroupd warm --root ./var --from payloads --tolerate 1% --report report.json payloads/*.json
              sort -u urls.txt | appgroupd warm --root ./var --rate 20 --per-host 4 -
            """)

    @Argument(help: ArgumentHelp("Files with items; - is standard input.", valueName: "source"))
    var sources: [String]

    @Option(help: "The form of the sources: urls, ndjson, payloads; recognised unless given.")
    var from: WarmFormat?

    @Option(help: ArgumentHelp("Make renditions for this profile. Repeatable; the configured one unless given."))
    var profile: [String] = []

    @Option(help: "The app group: letters, digits, dots and dashes.", transform: RequestOptions.group)
    var group = AppGroupName.default

    @Option(help: ArgumentHelp("Keep the renditions for a time, as 14d, or until a date.", valueName: "duration|date"))
    var keep: String?

    @OptionGroup var limits: WarmLimitOptions

    @Option(
        help: ArgumentHelp(
            "Let a running daemon do the work, by its own limits: the path of its socket, or http://HOST:PORT.",
            valueName: "socket|url"))
    var via: String?

    @Flag(help: "Say what would be asked for, and ask for nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("The journal; ROOT/.warm/DIGEST.journal unless given.", valueName: "file"))
    var resume: String?

    @Flag(help: "Begin from the start, whatever the journal has.")
    var noResume = false

    @Option(help: ArgumentHelp("Write a report as JSON.", valueName: "file"))
    var report: String?

    @Option(help: ArgumentHelp("Failures that leave the status at 0.", valueName: "n|n%"))
    var tolerate = FailureTolerance.items(0)

    @Option(help: "How to show progress: bar, plain, json, none. A bar on a terminal, plain lines elsewhere.")
    var progress: ProgressMode?

    @OptionGroup var options: RuntimeOptions

    func validate() throws {
        if resume != nil, noResume {
            throw ValidationError("--resume stands beside --no-resume: leave one of them out.")
        }
        for name in profile where MediaProfile.named(name) == nil {
            let known = MediaProfile.all.map(\.name)
            let hint = NearestWord.nearest(to: name, among: known).map { "did you mean \($0)?" }
            throw ValidationError(
                "--profile \(name): \(hint ?? "it must be one of: \(known.joined(separator: ", ")).")")
        }
        if let keep { try KeepTime.validate(keep, at: Date()) }
    }

    func run() async throws {
        var configuration = try ConfigurationLoader(options).configuration()
        let most = via == nil ? DescriptorBudget.media() : DescriptorBudget.calls()
        limits.apply(to: &configuration, most: most)
        try RootFolder(path: configuration.root).checkOwner()
        for name in sources where name != "-" && FileSystem.size(of: name) == nil {
            throw CommandFailure(.usage, "\(name): there is no such file, or it cannot be read")
        }
        let profiles = (profile.isEmpty ? [configuration.profile] : profile).compactMap { MediaProfile.named($0) }
        let reading = reading(profiles, configuration)
        let journal = WarmJournalFile(
            batch: batch(profiles, configuration), root: configuration.root, named: resume, isAnew: noResume)
        let report = report.map(WarmReportFile.init)
        try report?.check(sources: sources, journal: journal.path)
        if dryRun {
            let plan = await WarmPlan.read(reading, done: try await journal.history().done)
            for line in plan.lines { StandardStreams.output(line) }
            guard plan.problems == 0 else { throw CommandFailure(.failed) }
            return
        }
        try checkOpenFiles(most)
        let runtime = try via == nil ? runtime(configuration) : nil
        let watch = DaemonWatch(clock: SystemClock())
        let interruption = AsyncEvent()
        _ = watch.loss.whenSignalled { interruption.signal() }
        let result: Result<WarmReport, CommandFailure>
        do throws(CommandFailure) {
            let warmer = try await warmer(runtime, watch)
            let opened = try await journal.open()
            defer { opened.journal.shutdown() }
            let run = WarmRun(
                warmer: warmer, journal: opened.journal, history: opened.history, limits: limits.limits(most: most),
                budget: configuration.budget, clock: SystemClock())
            result = .success(try await finish(run, reading, interruption, journal.path))
        } catch {
            result = .failure(error)
        }
        // The workers and the threads end before the process does, also after a failure.
        await runtime?.shutdown()
        let ended = try result.get()
        let written = Result { () throws(CommandFailure) in try report?.write(ended) }
        for line in WarmSummary(report: ended).lines(width: StandardStreams.columns) { StandardStreams.output(line) }
        try written.get()
        try tell(ended, isInterrupted: interruption.isSignalled, isLost: watch.loss.isSignalled, journal)
    }

    /// Says that fewer items run at a time than were asked for.
    ///
    /// - Throws: with status 1 if the limit of open files leaves no room for one item.
    private func checkOpenFiles(_ most: Int) throws(CommandFailure) {
        let openFiles = ResourceLimits.openFiles
        guard openFiles >= DescriptorBudget.ofPipeline else {
            throw CommandFailure(
                .failed,
                "\(openFiles) open files are allowed, and \(DescriptorBudget.ofPipeline) are needed: raise ulimit -n")
        }
        guard limits.concurrency > most else { return }
        StandardStreams.error(
            "appgroupd: \(HumanText.counted(most, "item")) at a time in place of \(limits.concurrency), because "
                + "\(openFiles) open files are allowed: raise ulimit -n for more")
    }

    /// Runs to the end, or to the end of all that runs after an interruption.
    private func finish(
        _ run: WarmRun, _ reading: WarmSources, _ interruption: AsyncEvent, _ path: String
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
                    await reading.read { item in
                        switch item {
                        case .success(let item): await intake.add(item)
                        case .failure(let problem): await intake.add(problem)
                        }
                    }
                }, interruption: interruption, observe: { console.show($0) })
        } catch {
            throw CommandFailure(.failed, "\(path): \(error): the run has ended; run the command again to continue it")
        }
    }

    /// A pipeline that leaves the processors to everybody else, and remembers little: each URL comes once.
    private func runtime(_ configuration: Configuration) throws(CommandFailure) -> Runtime {
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

    private func reading(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmSources {
        var defaults = RequestDefaults(configuration)
        defaults.profile = profiles.first ?? defaults.profile
        let now = Date()
        return WarmSources(
            names: sources, format: from,
            items: WarmItemReader(
                format: from,
                entries: WarmEntryReader(
                    .source,
                    defaults: .init(
                        profiles: profiles, appGroup: group, keepUntil: keep.flatMap { KeepTime.date($0, at: now) },
                        budget: configuration.budget),
                    now: now, date: { KeepTime.date($0, at: now) },
                    payloadURL: PayloadRules(configuration).firstLocation(defaults, SystemClock()))))
    }

    /// Everything that decides what is made is a part of it, so that no journal is continued for something else.
    private func batch(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmBatch {
        WarmBatch(
            sources: sources.map { $0 == "-" ? $0 : AbsolutePath.of($0) },
            target: via.map { $0.contains("://") ? $0 : AbsolutePath.of($0) } ?? AbsolutePath.of(configuration.root),
            options: profiles.map(\.name) + [
                group.description, keep ?? "", from?.rawValue ?? "", "\(limits.maxBytes ?? 0)",
            ])
    }

    /// - Parameter isLost: The daemon of `--via` has been gone for a minute, which interrupts the run.
    private func tell(
        _ ended: WarmReport, isInterrupted: Bool, isLost: Bool, _ journal: WarmJournalFile
    ) throws(CommandFailure) {
        if isInterrupted, !ended.isWhole || ended.notTried > 0 {
            guard !isLost else {
                throw CommandFailure(
                    .failed, "--via \(via ?? ""): the daemon has been gone for a minute: \(journal.continuation)")
            }
            throw CommandFailure(.interrupted, "interrupted: \(journal.continuation)")
        }
        let failed = ended.total.failed
        guard failed > 0 else { return }
        guard !tolerate.isExceeded(by: failed, of: ended.total.done) else {
            throw CommandFailure(
                .failed, "\(HumanText.counted(failed, "item")) failed: to try them again, --resume \(journal.path)")
        }
    }
}
