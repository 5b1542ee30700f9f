import ArgumentParser
import NotificationModel

struct LabBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure on this machine what is promised about time.",
        discussion: """
            Runs the daemon's own parts, journal included, in this process beside an origin on loopback that never \
            answers. `late` measures when notifications leave whose budget ends, while every core decodes 12-megapixel \
            photos, against a timer of the same process. `cancel` measures how long it takes to take running requests \
            back: until the last is emitted, and until the last socket is closed. `text` measures what payloads without \
            media cost. Status 1 when the target is missed.

            Examples:
              appgroupd lab bench late --requests 1000 --budget 2s
              appgroupd lab bench cancel --requests 500
              appgroupd lab bench text
            """,
        subcommands: [LateCommand.self, CancelledCommand.self, TextCommand.self])

    struct LateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "late", abstract: "How late notifications leave whose budget ends.")

        @Option(help: "Requests at a time.") var requests = 1_000
        @Option(help: "The budget of each.", transform: duration) var budget: Duration = .seconds(2)
        @Option(help: "What p99.9 may be later than a control timer.", transform: duration)
        var target: Duration = .milliseconds(10)
        @Option(help: "The folder with media below it.") var fixtures = "fixtures"

        func run() async throws {
            let result = try await LatenessBench(requests: requests, budget: budget, fixtures: fixtures).run()
            let outcomes = result.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
            let bounds = [-200, -150, -100, -50, -20, -10, 0, 1, 2, 5, 10, 20, 50, 100].map(Double.init)
            StandardStreams.output(
                """
                \(requests) requests on a stalled origin, a budget of \(Int(budget.milliseconds)) ms, every core decoding
                emitted: \(outcomes); photos decoded meanwhile: \(result.decoded)

                after the deadline   \(result.emission.summary)
                control timer        \(result.control.summary)
                after the decision   \(result.decision.summary)

                after the deadline (negative: before it)
                \(result.emission.histogram(bounds: bounds).joined(separator: "\n"))
                control timer
                \(result.control.histogram(bounds: bounds).joined(separator: "\n"))

                p99.9 beyond the control timer's: \(Lateness.text(result.excess)) ms after the deadline, \
                \(Lateness.text(result.decisionExcess)) ms after the decision (target: at most \(target.milliseconds) ms)
                """)
            let emitted = result.outcomes.values.reduce(0, +)
            guard emitted == requests else {
                throw CommandFailure(.failed, "\(requests - emitted) of \(requests) were never emitted")
            }
            guard result.decoded > 0 else { throw CommandFailure(.failed, "nothing was decoded meanwhile") }
            guard result.excess <= target.milliseconds else {
                throw CommandFailure(.failed, "the target is missed")
            }
        }
    }

    struct CancelledCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "How long it takes to take running requests back.")

        @Option(help: "Requests at a time.") var requests = 500
        @Option(help: "How often it is measured, after a warm-up.") var rounds = 5
        @Option(help: "How long the middle one of the rounds may take.", transform: duration) var target: Duration =
            .milliseconds(50)
        @Option(help: "The folder with media below it.") var fixtures = "fixtures"

        func run() async throws {
            guard rounds > 0, requests > 0 else { throw ValidationError("--rounds and --requests begin at 1.") }
            let results = try await CancelBench(requests: requests, rounds: rounds, fixtures: fixtures).run()
            StandardStreams.output("\(requests) running requests cancelled at once, in milliseconds:")
            for result in results {
                StandardStreams.output(
                    "last emitted after \(tenths(result.lastEmitted.milliseconds)), last socket closed after "
                        + "\(tenths(result.lastClosed.milliseconds)), cancelled: \(result.outcomes[.cancelled] ?? 0)")
            }
            let times = results.map { max($0.lastEmitted, $0.lastClosed) }.sorted()
            let middle = times[times.count / 2]
            StandardStreams.output(
                "the middle round: \(tenths(middle.milliseconds)) (target: at most \(tenths(target.milliseconds)))")
            guard results.allSatisfy({ $0.outcomes[.cancelled] == requests }) else {
                throw CommandFailure(.failed, "not all were emitted as cancelled")
            }
            guard middle <= target else { throw CommandFailure(.failed, "the target is missed") }
        }
    }

    /// With one digit behind the point.
    static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

private func duration(_ text: String) throws -> Duration {
    guard let duration = DurationText.parse(text) else {
        throw ValidationError("it must be a duration, as 500ms, 5s or 2m.")
    }
    return duration
}
