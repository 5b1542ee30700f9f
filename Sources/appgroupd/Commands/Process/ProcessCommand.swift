import ArgumentParser
import Base
import FeatureKit
import Glibc
import NotificationModel
import NotificationProcessor
import PayloadLint
import ServiceConfiguration

struct ProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Process payloads without a daemon, print the results, and exit.",
        discussion: """
            A file has one or more JSON objects, each of which is a payload or an envelope. The results are printed in \
            the order of the payloads. On a terminal, each result is printed as text. Elsewhere, each result is one \
            line of JSON.

            Many payloads are processed at the same time. For each host, at most fetch.connectionsPerHost payloads \
            whose first media item is on this host are processed at a time. All other payloads for this host wait for \
            their turn. The budget of a payload starts with its turn, so payloads for a slow host do not use up each \
            other's time.

            Status 0: every payload was processed, even if its result has only the fallback text. Status 1: a file is \
            not JSON, an envelope is invalid, a result could not be written, or the run was interrupted. Status 3: a \
            result does not meet --require; standard error names the payload and the reason.

            Examples:
              appgroupd process --root ./var payload.json
              appgroupd process --root ./var --budget 2s --require rich payload.json
              appgroupd process --root ./var --require phone payload.json
              appgroupd process --root ./var --require reason=http-status broken.json
              curl -s https://example.com/push | appgroupd process --root ./var -
              appgroupd process --root ./var --allow-address 127.0.0.0/8 \\
                fixtures/payloads/*.json
            """)

    /// The event at which the budget of a payload starts.
    enum BudgetStart: String, ExpressibleByArgument, CaseIterable {
        case reading
        case turn
    }

    @Argument(help: ArgumentHelp("Files with payloads; - is standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup var request: RequestOptions
    @OptionGroup var options: RuntimeOptions
    @OptionGroup var verbosity: VerbosityOptions
    @OptionGroup var profile: ProfileOptions

    @Option(
        help: """
            Exit with status 3 unless every result meets the requirement: rich (the outcome is rich), partial (the \
            outcome is rich or partial), fallback (the outcome is fallback), reason=REASON (the result has this \
            reason, such as reason=budget-exceeded), or phone (an iPhone would run the extension, and fetch and \
            accept the original media).
            """,
        transform: ProcessRequirement.init)
    var require: ProcessRequirement?

    @Option(help: "The format of the results. Default: text on a terminal, and json elsewhere.")
    var format: ProcessFormat?

    @Flag(help: "Print JSON with indentation, on several lines.")
    var pretty = false

    @Option(
        help: """
            When the budget of a payload starts: turn (when the payload's turn at the host of its first media item \
            comes) or reading (when the payload was read).
            """)
    var budgetFrom = BudgetStart.turn

    func validate() throws {
        if request.id != nil, files.count > 1 {
            throw ValidationError("--id is for one payload, and there are \(files.count) files: leave --id out.")
        }
        if pretty, format == .text {
            throw ValidationError("--pretty has no effect on --format text: leave one of them out.")
        }
    }

    func run() async throws {
        var configuration = try ConfigurationLoader(options, profile.flags).configuration()
        // Only the daemon lists its results and takes receipts of them.
        configuration.receipts.signingKeyFile = nil
        let clock = request.now.map { SystemClock(startingAt: $0) } ?? SystemClock()
        var rules = GroupRules(configuration)
        let dialects = rules.rules(for: request.group).dialects
        let dialect = try request.knownDialect(of: dialects.identifiers)
        rules.changeDefaults { request.apply(dialect, to: &$0) }
        try RootFolder(path: configuration.root).checkOwner()
        let runtime = try Runtime(configuration, clock: clock, warn: StandardStreams.warn)
        let (tellings, telling) = AsyncStream.makeStream(of: PayloadBatch.Telling.self)
        let batch = PayloadBatch(
            pipeline: runtime.pipeline, rules: rules, clock: clock, id: request.id,
            turns: budgetFrom == .turn ? HostShares(perHost: configuration.fetch.limits.connectionsPerHost) : nil,
            telling: telling)
        let processing = Task { await batch.run(files) }
        let interruption = Task {
            await TerminationSignal.wait()
            // A cancelled request is emitted with its fallback text.
            telling.yield(.interrupted)
            processing.cancel()
            await Self.endAfterPatience(telling)
        }
        let ticking = StatusLine.isShown && Verbosity.current != .quiet ? Task { await Self.tick(telling) } : nil
        let linter = PayloadLinter(
            dialects: dialects, requested: dialect, date: clock.date,
            allowed: configuration.fetch.allowedRanges, ignored: Set(configuration.lint.ignore))
        let output = ProcessOutput(
            format: format ?? (StandardStreams.isTerminal && !pretty ? .text : .json), isPretty: pretty,
            requirement: require, linter: linter)
        let (status, isCleanedUp) = await print(tellings, to: output, telling)
        // A stuck disk or a stuck decoder does not delay the end of the program. Incomplete files have no names, so the
        // system removes them at the end of this process. The workers also end with this process.
        guard isCleanedUp else { Glibc.exit(status.rawValue) }
        interruption.cancel()
        ticking?.cancel()
        await runtime.shutdown()
        guard status == .done else { throw CommandFailure(status) }
    }

    /// Prints the results in the order of the payloads, until the stream of events ends.
    ///
    /// - Returns: The exit status, and whether the batch has ended its work.
    private func print(
        _ tellings: AsyncStream<PayloadBatch.Telling>, to output: ProcessOutput,
        _ telling: AsyncStream<PayloadBatch.Telling>.Continuation
    ) async -> (status: ExitStatus, isCleanedUp: Bool) {
        var (order, output) = (Sequencer<PayloadEvent>(), output)
        var progress = ProcessProgress(files: files.count)
        var unread = UnreadInput()
        var patience: Task<Void, Never>?
        defer { patience?.cancel() }
        var isCleanedUp = false
        for await reported in tellings {
            var ready: [PayloadEvent] = []
            switch reported {
            case .begun: progress.begun += 1
            case .tick: progress.show(passedFiles: order.passedFiles)
            case .unread(let last, let index, let further): unread.add(last, index: index, further: further)
            case .payload(let place, let event):
                if event.content != nil { progress.done += 1 }
                ready = order.insert(event, at: place)
            case .read(let file, let count): ready = order.end(file: file, count: count)
            case .interrupted: ready = [PayloadEvent(problem: "interrupted: requests that are not ready are cancelled")]
            case .ended: isCleanedUp = true
            }
            if !ready.isEmpty { progress.clear() }
            for event in ready { output.tell(event) }
            if order.passedFiles == files.count, patience == nil {
                patience = Task { await Self.endAfterPatience(telling) }
            }
        }
        progress.clear()
        for event in order.takeRemaining() { output.tell(event) }
        if let sentence = unread.sentence { StandardStreams.warn(sentence) }
        return (output.exitStatus, isCleanedUp)
    }

    /// Finishes the stream of events after one second. In this second, the batch can clean up after its last result.
    private static func endAfterPatience(_ telling: AsyncStream<PayloadBatch.Telling>.Continuation) async {
        try? await Task.sleep(for: .seconds(1))
        telling.finish()
    }

    private static func tick(_ telling: AsyncStream<PayloadBatch.Telling>.Continuation) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(500))
            telling.yield(.tick)
        }
    }
}

/// The progress of `process` on one line of a terminal.
private struct ProcessProgress {
    /// The number of files on the command line.
    let files: Int
    var begun = 0
    var done = 0
    let start = MonotonicInstant.now
    var line = StatusLine()

    /// Shows the progress, with the number of files whose results are all printed.
    mutating func show(passedFiles: Int) {
        let time = HumanText.duration(start.duration(to: .now))
        let share = files > 1 ? "\(passedFiles) of \(files) files, " : ""
        line.show("\(share)\(done) done, \(begun - done) in progress, \(time)")
    }

    mutating func clear() { line.clear() }
}

/// The input that was not read because of an interruption, and therefore has no results.
struct UnreadInput {
    /// The first file that was not read to its end, with the last line that was read; 0 if no payload was read.
    private var first: (index: Int, last: PayloadInput)?
    private var count = 0

    /// Adds a file that was not read to its end, and the number of later files that were not opened.
    mutating func add(_ last: PayloadInput, index: Int, further: Int) {
        if first.map({ index < $0.index }) ?? true { first = (index, last) }
        count += 1 + further
    }

    /// The sentence about the unread input; `nil` if all input was read.
    var sentence: String? {
        guard let first else { return nil }
        let others = count > 1 ? ", and of \(HumanText.counted(count - 1, "further file"))" : ""
        let place = first.last.line > 0 ? "\(first.last.file) after line \(first.last.line)" : first.last.file
        return "interrupted: there is no result of \(place)\(others), because it was not read"
    }
}
