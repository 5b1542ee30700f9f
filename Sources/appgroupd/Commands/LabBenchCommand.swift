import ArgumentParser
import NotificationModel
import Primitives

struct LabBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure on this machine whether results are emitted in time.",
        discussion: """
            `late` measures how long after its deadline each result is emitted, while every core decodes 12-megapixel \
            photos. For comparison, a timer in the same process (the control timer) has the same deadlines. `cancel` \
            cancels all running requests, and measures the time until the last result is emitted and the last \
            connection to the origin is closed. `text` measures the processor time of payloads without media.

            Each benchmark runs the daemon's code in the process of the command. `late` and `cancel` also use a \
            journal, and an origin on loopback that never answers the measured requests. Status 1: the target is missed.

            Examples:
              appgroupd lab bench late --requests 1000 --budget 2s
              appgroupd lab bench cancel --requests 500
              appgroupd lab bench text
            """,
        subcommands: [LateCommand.self, CancelledCommand.self, TextCommand.self])

    struct LateCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "late", abstract: "Measure how long after its deadline each result is emitted.")

        @Option(help: "Number of requests at a time.") var requests = 1_000
        @Option(help: "The budget of each request. Default: 2s.", transform: duration) var budget: Duration = .seconds(
            2)
        @Option(
            help: """
                The largest permitted difference between the lateness of the results and the lateness of a plain timer \
                with the same deadlines, at the 99.9th percentile. Default: 10ms.
                """,
            transform: duration)
        var target: Duration = .milliseconds(10)
        @Option(help: "The directory that contains media/.") var fixtures = "fixtures"

        func run() async throws {
            let result = try await LatenessBench(requests: requests, budget: budget, fixtures: fixtures).run()
            let outcomes = result.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
            let bounds = [-200, -150, -100, -50, -20, -10, 0, 1, 2, 5, 10, 20, 50, 100].map(Double.init)
            StandardStreams.output(
                """
                \(requests) requests on a stalled origin, a budget of \(Int(budget.milliseconds)) ms, every core \
                decoding
                emitted: \(outcomes); photos decoded meanwhile: \(result.decoded)

                after the deadline   \(result.emission.summary)
                control timer        \(result.control.summary)
                after the decision   \(result.decision.summary)

                after the deadline (negative: before it)
                \(result.emission.histogram(bounds: bounds).joined(separator: "\n"))
                control timer
                \(result.control.histogram(bounds: bounds).joined(separator: "\n"))

                p99.9 beyond the control timer's: \(Lateness.text(result.excess)) ms after the deadline, \
                \(Lateness.text(result.decisionExcess)) ms after the decision (target: at most \(target.milliseconds) \
                ms)
                """)
            let emitted = result.outcomes.values.reduce(0, +)
            guard emitted == requests else {
                throw CommandFailure(.failed, "\(requests - emitted) of \(requests) requests were never emitted")
            }
            guard result.decoded > 0 else {
                throw CommandFailure(.failed, "no photo was decoded during the measurement")
            }
            guard result.excess <= target.milliseconds else {
                throw CommandFailure(.failed, "the target is missed")
            }
        }
    }

    struct CancelledCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "Measure how long the cancellation of running requests takes.")

        @Option(help: "Number of requests at a time.") var requests = 500
        @Option(help: "Number of measurements after a warm-up.") var rounds = 5
        @Option(help: "The target for the time of the median measurement. Default: 50ms.", transform: duration)
        var target: Duration = .milliseconds(50)
        @Option(help: "The directory that contains media/.") var fixtures = "fixtures"

        func run() async throws {
            guard rounds > 0, requests > 0 else { throw ValidationError("--rounds and --requests must be at least 1.") }
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
                throw CommandFailure(.failed, "not all requests were emitted as cancelled")
            }
            guard middle <= target else { throw CommandFailure(.failed, "the target is missed") }
        }
    }

    /// Returns a number with one digit after the decimal point.
    static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}

private func duration(_ text: String) throws -> Duration {
    guard let duration = DurationText.parse(text) else {
        throw ValidationError("it must be a duration, such as 500ms, 5s or 2m.")
    }
    return duration
}
