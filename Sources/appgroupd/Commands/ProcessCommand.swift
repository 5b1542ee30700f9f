import ArgumentParser
import Glibc
import JSON
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

struct ProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "process",
        abstract: "Process payloads once, without a daemon, and print their contents.",
        discussion: """
            Reads rich-push payloads or envelopes, each file one JSON object or several one after the other, and prints \
            the processed content of each as one line of JSON, in the order of the arguments. All start together; the \
            budget of each counts from its reading.

            A payload that cannot be made rich in time is done all the same: it has the fallback text, and the status is \
            0. Status 1: a file is no JSON, or a payload is rejected as invalid. Status 3: --require is not met.

            Examples:
              appgroupd process --root ./var payload.json
              appgroupd process --root ./var --budget 2s --require rich --pretty payload.json
              curl -s https://example.com/push | appgroupd process --root ./var -
              appgroupd process --root ./var --allow-address 127.0.0.0/8 fixtures/payloads/*.json
            """)

    enum Requirement: String, ExpressibleByArgument, CaseIterable {
        case rich
        case partial
    }

    @Argument(help: ArgumentHelp("Payload files; - is standard input.", valueName: "file"))
    var files: [String]

    @OptionGroup var request: RequestOptions
    @OptionGroup var options: ConfigurationOptions

    @Option(help: "End with status 3 unless every payload is at least this: rich, partial.")
    var require: Requirement?

    @Flag(help: "Print for people: indented, several lines each.")
    var pretty = false

    func validate() throws {
        if request.id != nil, files.count > 1 {
            throw ValidationError("--id names one payload, and there are \(files.count) files: leave it out.")
        }
    }

    func run() async throws {
        let configuration = try ConfigurationLoader(options).configuration()
        let clock = request.now.map { SystemClock(startingAt: $0) } ?? SystemClock()
        let dialects = PayloadRules(configuration).dialects
        let reader = EnvelopeReader(
            defaults: try request.defaults(configuration, known: dialects.identifiers), dialects: dialects)
        let runtime = try Runtime(
            configuration, clock: clock, complain: { StandardStreams.error("appgroupd: \($0)") })
        let (tellings, telling) = AsyncStream.makeStream(of: PayloadBatch.Telling.self)
        let batch = PayloadBatch(
            pipeline: runtime.pipeline, reader: reader, clock: clock, id: request.id,
            telling: telling)
        let processing = Task { await batch.run(files) }
        let interruption = Task {
            await TerminationSignal.wait()
            // Taken back, each is emitted with its fallback text.
            telling.yield(.interrupted)
            processing.cancel()
            await Self.endAfterPatience(telling)
        }
        var order = Sequencer<PayloadEvent>()
        var status = ProcessStatus(requirement: require)
        var isCleanedUp = false
        var patience: Task<Void, Never>?
        for await told in tellings {
            let ready: [PayloadEvent]
            switch told {
            case .payload(let place, let event): ready = order.insert(event, at: place)
            case .read(let file, let count): ready = order.end(file: file, count: count)
            case .interrupted: ready = [PayloadEvent(problem: "interrupted: what is not ready is cancelled")]
            case .ended:
                isCleanedUp = true
                ready = []
            }
            for event in ready {
                tell(event)
                status.count(event)
            }
            if order.passedFiles == files.count, patience == nil {
                patience = Task { await Self.endAfterPatience(telling) }
            }
        }
        // Whatever is stuck (a disk, a decoder) keeps nobody waiting: it has no names to leave behind, and workers end
        // with this process.
        guard isCleanedUp else { Glibc.exit(status.exitStatus.rawValue) }
        interruption.cancel()
        patience?.cancel()
        await runtime.shutdown()
        guard status.exitStatus == .done else { throw CommandFailure(status.exitStatus) }
    }

    /// What all that is emitted leaves behind gets a second to be put away.
    private static func endAfterPatience(_ telling: AsyncStream<PayloadBatch.Telling>.Continuation) async {
        try? await Task.sleep(for: .seconds(1))
        telling.finish()
    }

    private func tell(_ event: PayloadEvent) {
        if let notification = event.notification {
            StandardStreams.output(JSONWriter.text(of: notification.json, pretty: pretty))
        }
        if let problem = event.problem { StandardStreams.error("appgroupd: \(problem)") }
    }
}

/// What the exit status is made of.
struct ProcessStatus {
    private let requirement: ProcessCommand.Requirement?
    private var hasFailed = false
    private var isShort = false

    init(requirement: ProcessCommand.Requirement?) { self.requirement = requirement }

    mutating func count(_ event: PayloadEvent) {
        if event.problem != nil { hasFailed = true }
        guard let outcome = event.notification?.outcome else { return }
        switch requirement {
        case .rich: isShort = isShort || outcome != .rich
        case .partial: isShort = isShort || (outcome != .rich && outcome != .partial)
        case nil: break
        }
    }

    /// Failed work goes before a requirement that is not met.
    var exitStatus: ExitStatus { hasFailed ? .failed : isShort ? .requirementNotMet : .done }
}
