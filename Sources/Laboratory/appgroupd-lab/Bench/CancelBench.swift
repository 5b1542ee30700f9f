import Base
import Lab
import LinuxIO
import NotificationModel
import RequestCoordinator

/// A benchmark of the cancellation of many requests at once, while the origin does not respond to them. It measures the
/// time until the last result is emitted, and the time until the origin sees that its last connection is closed.
struct CancelBench: Sendable {
    let requests: Int
    /// The number of measured rounds, which run one after the other. A warm-up round before them is not reported.
    let rounds: Int
    let fixtures: String

    struct Result: Sendable {
        var lastEmitted: Duration
        var lastClosed: Duration
        var outcomes: [Outcome: Int]
    }

    func run() async throws -> [Result] {
        try await BenchSetup.with(fixtures: fixtures, connections: requests) { bench in
            var results: [Result] = []
            for round in 0...rounds { results.append(try await measure(bench, round)) }
            return Array(results.dropFirst())
        }
    }

    private func measure(_ bench: BenchSetup, _ round: Int) async throws -> Result {
        var keys: [RequestKey] = []
        for index in 0..<requests {
            let path = "/stall/headers/photo-small.jpg?\(index)"
            keys.append(try await bench.submit("c-\(round)-\(index)", path: path, budget: .seconds(60)).key)
        }
        await bench.origin.waitUntil { $0.stallsReached >= (round + 1) * requests }
        let start = bench.clock.now
        async let closed: MonotonicInstant = Self.closing(bench)
        let lastEmitted = await withTaskGroup(of: MonotonicInstant.self) { group in
            for key in keys {
                group.addTask {
                    // The coordinator responds after the result is durable.
                    _ = await bench.coordinator.cancel(key)
                    return bench.clock.now
                }
            }
            return await group.max() ?? start
        }
        var outcomes: [Outcome: Int] = [:]
        for key in keys {
            if let outcome = await bench.coordinator.content(of: key)?.outcome { outcomes[outcome, default: 0] += 1 }
        }
        return Result(
            lastEmitted: start.duration(to: lastEmitted), lastClosed: start.duration(to: await closed),
            outcomes: outcomes)
    }

    private static func closing(_ bench: BenchSetup) async -> MonotonicInstant {
        await bench.origin.waitUntil { $0.connectionsOpen == 0 }
        return bench.clock.now
    }
}
