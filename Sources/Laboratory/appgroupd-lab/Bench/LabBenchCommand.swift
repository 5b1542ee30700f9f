import ArgumentParser
import Base
import FeatureKit
import NotificationModel
import NotificationProcessor

extension LabBenchCommand.LateCommand: PerformableCommand {
    func perform() async throws {
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
        guard result.decoded > 0 else { throw CommandFailure(.failed, "no photo was decoded during the measurement") }
        guard result.excess <= target.milliseconds else { throw CommandFailure(.failed, "the target is missed") }
    }
}

extension LabBenchCommand.CancelledCommand: PerformableCommand {
    func perform() async throws {
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

extension LabBenchCommand.TextCommand: PerformableCommand {
    func perform() async throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        let result = try await TextBench(rounds: rounds, fixtures: fixtures).run()
        guard let dearest = result.dearest else { throw CommandFailure(.failed, "there are no samples") }
        StandardStreams.output("processor time of a payload without media, in microseconds:")
        for (name, cost) in result.costs {
            let text = microseconds(cost)
            StandardStreams.output("\(String(repeating: " ", count: max(0, 8 - text.count)))\(text)  \(name)")
        }
        StandardStreams.output(
            "mean \(microseconds(result.mean)); the most expensive, \(dearest.name), \(microseconds(dearest.cost)) "
                + "(target: at most \(target))")
        guard dearest.cost <= .microseconds(target) else { throw CommandFailure(.failed, "the target is missed") }
    }
}

extension LabBenchCommand.DialectsCommand: PerformableCommand {
    func perform() async throws {
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
        let results = DialectBench(rounds: rounds).run()
        let count = DialectTable.standard.identifiers.count
        StandardStreams.output("processor time of the search through \(count) dialects, in microseconds:")
        for result in results {
            StandardStreams.output(
                "\(microseconds(result.cost))  \(result.name) of \(result.byteCount) bytes (target: at most \(target))")
        }
        guard results.allSatisfy({ $0.cost <= .microseconds(target) }) else {
            throw CommandFailure(.failed, "the target is missed")
        }
    }
}

/// Returns a processor time in microseconds, as text.
private func microseconds(_ cost: Duration) -> String { tenths(cost.milliseconds * 1_000) }

private func tenths(_ number: Double) -> String { "\(number.roundedToTenths)" }
