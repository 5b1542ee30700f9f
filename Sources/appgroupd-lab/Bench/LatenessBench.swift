import CommandSupport
import Lab
import LinuxIO
import NotificationModel
import Primitives
import RequestCoordinator

/// A benchmark of the lateness of many requests, while the origin does not respond to them and every core decodes. It
/// also measures the lateness of a plain timer in the same process.
///
/// The requests share a few media items. A request for a media item that is not being downloaded yet needs a worker. If
/// the workers cannot finish the item in time, this request is refused at once.
struct LatenessBench: Sendable {
    private static let media = 16

    let requests: Int
    let budget: Duration
    let fixtures: String

    struct Result: Sendable {
        /// The time between the end of the budget and the emission. The daemon promises a result within the budget.
        var emission: Lateness
        /// The time between the end of the stages and the emission. In this time, the content is composed, and the
        /// result is written to the journal.
        var decision: Lateness
        var control: Lateness
        var outcomes: [Outcome: Int]
        var decoded: Int

        /// The difference between p99.9 of the emissions and p99.9 of the control timer, in milliseconds.
        /// `decisionExcess` is the same difference for the time since the end of the stages.
        var excess: Double { emission.quantile(0.999) - control.quantile(0.999) }
        var decisionExcess: Double { decision.quantile(0.999) - control.quantile(0.999) }
    }

    func run() async throws -> Result {
        let result = Guarded<Result?>(nil)
        try await BenchBed.with(fixtures: fixtures, connections: requests + 64) { bed in
            let measured = try await measure(bed)
            result.withLock { $0 = measured }
        }
        guard let result = result.withLock({ $0 }) else { throw CommandFailure(.failed, "nothing was measured") }
        return result
    }

    private struct Emission: Sendable {
        var budget: TimeBudget
        var instant: MonotonicInstant
        var outcome: Outcome?
    }

    private func measure(_ bed: BenchBed) async throws -> Result {
        let decoding = Task { await decode(bed) }
        // The measurement begins when the workers are busy with decoding.
        await bed.origin.waitUntil { $0.responsesFinished >= 2 * ProcessorCount.current }
        let emissions = try await withThrowingTaskGroup(of: (Emission, Duration).self) { group in
            for index in 0..<requests {
                let (key, budget) = try await bed.submit(
                    "late-\(index)", path: "/stall/headers/photo-small.jpg?\(index % Self.media)", budget: budget)
                group.addTask {
                    async let control = Self.control(budget.deadline)
                    let content = await bed.coordinator.content(of: key)
                    let emission = Emission(budget: budget, instant: bed.clock.now, outcome: content?.outcome)
                    return (emission, await control)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        decoding.cancel()
        let decoded = await decoding.value
        var outcomes: [Outcome: Int] = [:]
        for (emission, _) in emissions { if let outcome = emission.outcome { outcomes[outcome, default: 0] += 1 } }
        return Result(
            emission: Lateness(emissions.map { $0.0.budget.deadline.duration(to: $0.0.instant) }),
            decision: Lateness(emissions.map { $0.0.budget.stagesEnd.duration(to: $0.0.instant) }),
            control: Lateness(emissions.map(\.1)), outcomes: outcomes, decoded: decoded)
    }

    /// Returns the lateness of a plain sleep until the same deadline, for comparison.
    private static func control(_ deadline: MonotonicInstant) async -> Duration {
        let clock = SystemClock()
        await clock.sleep(until: deadline)
        return deadline.duration(to: clock.now)
    }

    /// Keeps every worker busy with 12-megapixel photos until the task is cancelled. Returns the number of decoded
    /// photos.
    private func decode(_ bed: BenchBed) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for lane in 0..<(2 * ProcessorCount.current) {
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        let photo = try? await bed.submit(
                            "decode-\(lane)-\(count)", path: "/photo-12mp.jpg?\(lane)-\(count)", budget: .seconds(60))
                        guard let photo, await bed.coordinator.content(of: photo.key)?.outcome == .rich else { break }
                        count += 1
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
    }
}
