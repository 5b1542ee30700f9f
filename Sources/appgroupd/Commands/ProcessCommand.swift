import ArgumentParser
import NotificationModel
import NotificationProcessor

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
    @OptionGroup var runtime: RuntimeOptions

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
        var settings = Runtime.Settings(root: runtime.root, allowedAddresses: runtime.allowAddress)
        settings.clock = request.now.map { SystemClock(startingAt: $0) } ?? SystemClock()
        let runtime = try Runtime(settings)
        let reader = EnvelopeReader(defaults: request.defaults, dialects: DialectTable.standard.identifiers)
        let batch = PayloadBatch(
            pipeline: runtime.pipeline, reader: reader, clock: settings.clock, takesOne: request.id != nil)
        let (events, telling) = AsyncStream.makeStream(of: (place: Int, event: PayloadEvent).self)
        async let processing: Void = batch.run(files, telling: telling)
        var order = Sequencer<PayloadEvent>()
        var status = ProcessStatus(requirement: require)
        for await (place, event) in events {
            for event in order.insert(event, at: place) {
                tell(event)
                status.count(event)
            }
        }
        await processing
        await runtime.shutdown()
        guard status.exitStatus == .done else { throw CommandFailure(status.exitStatus) }
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
