import ArgumentParser
import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import NotificationModel
import ServiceConfiguration

struct WarmCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "warm",
        abstract: "Fetch and convert media before the notifications that show them are sent.",
        discussion: """
            A source is a URL, or a file with a list: URLs (one on each line), NDJSON ({"url", "profiles", "group", \
            "keepUntil"}), payloads of any dialect, a sitemap with images and videos, or a feed with enclosures (RSS, \
            Atom). `warm` fetches the media and makes the renditions, so that later notifications find them \
            in the container. A daemon can use the same root at the same time. docs/use/warm.md has the details.

            The result of each item is written to a journal. If a run was interrupted or killed, the same command \
            continues the run. The command tries failed items again, and does not repeat completed items. A journal \
            that was not used for 30 days is removed.

            Status 0: at most as many items failed as --tolerate permits. Status 1: more items failed. Status 130: the \
            run was interrupted; standard error says how to continue.

            Examples:
              appgroupd warm --root ./var urls.txt
              appgroupd warm --root ./var https://cdn.example/photo.jpg
              curl -s https://www.example/sitemap.xml | appgroupd warm --root ./var -
              appgroupd warm --root ./var --profile ios --profile web --keep 14d \\
                campaign.ndjson
              appgroupd warm --root ./var --from payloads --tolerate 1% \\
                --report report.json payloads/*.json
              sort -u urls.txt | appgroupd warm --root ./var --rate 20 --per-host 4 -
            """)

    @Argument(help: ArgumentHelp("URLs, and files with lists; - is standard input.", valueName: "source"))
    var sources: [String]

    @Option(help: "The format of the source files. Default: the format is recognised.")
    var from: WarmFormat?

    @Option(help: "Make renditions for this profile. Repeatable. Default: the configured profile.")
    var profile: [String] = []

    @Option(help: "The app group, such as group.demo. Default: group.default.", transform: RequestOptions.group)
    var group = AppGroupName.default

    @Option(
        help: ArgumentHelp(
            "Keep the renditions for a duration, such as 14d, or until a date, such as 2026-01-31.",
            valueName: "duration|date"))
    var keep: String?

    @OptionGroup var limits: WarmLimitOptions

    @Option(
        help: ArgumentHelp(
            "Let a daemon do the work, within the daemon's limits. The value is its socket or http://HOST:PORT.",
            valueName: "socket|url"))
    var via: String?

    @Option(
        help: ArgumentHelp(
            "With --via http://HOST:PORT, a file with the token for the daemon. It needs the scope warm.",
            valueName: "file"))
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "With --via, end the run when the daemon has not answered for this time. Default: 1m.",
            valueName: "duration"),
        transform: Self.duration)
    var giveUp: Duration?

    @Flag(help: "Print the number of items for each host, and send no request.")
    var dryRun = false

    @Option(help: ArgumentHelp("The journal file. Default: ROOT/.warm/DIGEST.journal.", valueName: "file"))
    var resume: String?

    @Flag(help: "Empty the journal and start from the beginning.")
    var noResume = false

    @Option(help: ArgumentHelp("Write a report as JSON to this file.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "Number or percentage of items that may fail without status 1. Default: 0.", valueName: "n|n%"),
        transform: FailureTolerance.init)
    var tolerate = FailureTolerance.items(0)

    @Option(help: "The form of the progress display. Default: bar on a terminal, and plain elsewhere.")
    var progress: ProgressMode?

    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions

    func validate() throws {
        if resume != nil, noResume {
            throw ValidationError("--resume and --no-resume cannot be used together: leave one of them out.")
        }
        for name in profile where MediaProfile.named(name) == nil {
            let known = MediaProfile.all.map(\.name)
            let hint = NearestWord.nearest(to: name, among: known).map { "did you mean \($0)?" }
            throw ValidationError(
                "--profile \(name): \(hint ?? "it must be one of: \(known.joined(separator: ", ")).")")
        }
        guard giveUp == nil || via != nil else {
            throw ValidationError("--give-up is for --via: leave it out, or name a daemon with --via.")
        }
        guard tokenFile == nil || via?.contains("://") == true else {
            throw ValidationError(
                "--token-file is for --via http://HOST:PORT: leave it out, or name the address of a daemon with --via.")
        }
        if let keep { try KeepTime.validate(keep, at: Date()) }
    }

    private func token() throws(CommandFailure) -> SecretText? {
        guard let tokenFile else { return nil }
        do throws(SecretFile.Refusal) { return try SecretFile.read(at: tokenFile).secret } catch {
            throw CommandFailure(.usage, "--token-file: \(error.message)")
        }
    }

    func run() async throws {
        var configuration = try ConfigurationLoader(options).configuration()
        let most = via == nil ? DescriptorBudget.media() : DescriptorBudget.calls()
        limits.apply(to: &configuration, most: most)
        try RootFolder(path: configuration.root).checkOwner()
        for name in sources where name != "-" {
            if let problem = WarmSources.listProblem(of: name) { throw CommandFailure(.usage, problem) }
            guard WarmSources.isURL(name) || FileSystem.size(of: name) != nil else {
                throw CommandFailure(
                    .usage, "\(name): there is no such file, or it cannot be read: name a list, or a URL with https://")
            }
        }
        let profiles = (profile.isEmpty ? [configuration.profile] : profile).compactMap { MediaProfile.named($0) }
        let reading = reading(profiles, configuration)
        let journal = WarmJournalFile(
            batch: batch(profiles, configuration), root: configuration.root, named: resume, isAnew: noResume)
        let report = report.map(WarmReportFile.init)
        try report?.check(sources: sources, journal: journal.path)
        if dryRun {
            let plan = await WarmPlan.read(reading, done: try await journal.history().done)
            StandardStreams.output(plan.lines.joined(separator: "\n"))
            guard plan.problems == 0 else { throw CommandFailure(.failed) }
            return
        }
        try limits.checkOpenFiles(
            most: most, least: via == nil ? DescriptorBudget.ofPipeline : DescriptorBudget.ofClient)
        let run = WarmBatchRun(
            configuration: configuration, limits: limits.limits(most: most), via: via, token: try token(),
            giveUp: giveUp ?? .seconds(60), journal: journal, sources: reading, progress: progress)
        let ending = try await run.run()
        let written = Result { () throws(CommandFailure) in try report?.write(ending.report) }
        let summary = WarmSummary(report: ending.report).lines(width: StandardStreams.columns)
        StandardStreams.output(summary.joined(separator: "\n"))
        try written.get()
        try tell(ending, journal)
    }

    private func tell(_ ending: WarmBatchRun.Ending, _ journal: WarmJournalFile) throws(CommandFailure) {
        let report = ending.report
        if ending.isInterrupted, !report.isWhole || report.notTried > 0 {
            if let silence = ending.daemonSilence {
                throw CommandFailure(.failed, "--via \(via ?? ""): \(silence): \(journal.continuation)")
            }
            throw CommandFailure(.interrupted, "interrupted: \(journal.continuation)")
        }
        let failed = report.total.failed
        guard failed > 0 else { return }
        guard !tolerate.isExceeded(by: failed, of: report.total.done) else {
            throw CommandFailure(
                .failed,
                "\(HumanText.counted(failed, "item")) failed: to try them again, add --resume \(journal.path) to the command"
            )
        }
    }

    private static func duration(_ text: String) throws -> Duration {
        let duration = DurationText.parse(text).flatMap { $0 > .zero ? $0 : nil }
        return try ValidationError.required(duration, "a duration, such as 30s or 5m")
    }
}
