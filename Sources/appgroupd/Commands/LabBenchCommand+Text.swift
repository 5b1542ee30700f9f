import ArgumentParser
import NotificationModel
import Primitives

extension LabBenchCommand {
    struct TextCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "text", abstract: "Measure the processor time of a payload without media.")

        @Option(help: "Number of times that each sample is processed.") var rounds = 2_000
        @Option(help: "The target for the processor time of the most expensive sample, in microseconds.") var target =
            200
        @Option(help: "The directory that has the sample payloads.") var fixtures = "fixtures"

        func run() async throws {
            guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
            let result = try await TextBench(rounds: rounds, fixtures: fixtures).run()
            guard let dearest = result.dearest else { throw CommandFailure(.failed, "there are no samples") }
            StandardStreams.output("processor time of a payload without media, in microseconds:")
            for (name, cost) in result.costs { StandardStreams.output("\(Self.padded(cost))  \(name)") }
            StandardStreams.output(
                "mean \(Self.text(result.mean)); the most expensive, \(dearest.name), \(Self.text(dearest.cost)) "
                    + "(target: at most \(target))")
            guard dearest.cost <= .microseconds(target) else { throw CommandFailure(.failed, "the target is missed") }
        }

        /// Returns a processor time in microseconds, as text.
        private static func text(_ cost: Duration) -> String { LabBenchCommand.tenths(cost.milliseconds * 1_000) }

        private static func padded(_ cost: Duration) -> String {
            let text = text(cost)
            return String(repeating: " ", count: max(0, 8 - text.count)) + text
        }
    }
}
