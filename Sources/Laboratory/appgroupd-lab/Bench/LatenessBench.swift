import Base
import Lab
import LinuxIO
import NotificationModel
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
        /// The time between the end of the stages and the emission. In it, the result is composed and journaled.
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
        try await BenchSetup.with(fixtures: fixtures, connections: requests + 64) { try await measure($0) }
    }

    private struct Emission: Sendable {
        var budget: TimeBudget
        var instant: MonotonicInstant
        var outcome: Outcome?
        /// The lateness of the control timer.
        var control: Duration
    }

    private func measure(_ bench: BenchSetup) async throws -> Result {
        let decoding = Task { await decode(bench) }
        // The measurement begins when the workers are busy with decoding.
        await bench.origin.waitUntil { $0.responsesFinished >= 2 * ProcessorCount.current }
        let emissions = try await withThrowingTaskGroup(of: Emission.self) { group in
            for index in 0..<requests {
                let (key, budget) = try await bench.submit(
                    "late-\(index)", path: "/stall/headers/photo-small.jpg?\(index % Self.media)", budget: budget)
                group.addTask {
                    async let control = Self.control(budget.deadline)
                    let outcome = await bench.coordinator.content(of: key)?.outcome
                    let instant = bench.clock.now
                    return Emission(budget: budget, instant: instant, outcome: outcome, control: await control)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        decoding.cancel()
        let decoded = await decoding.value
        var outcomes: [Outcome: Int] = [:]
        for outcome in emissions.compactMap(\.outcome) { outcomes[outcome, default: 0] += 1 }
        return Result(
            emission: Lateness(emissions.map { $0.budget.deadline.duration(to: $0.instant) }),
            decision: Lateness(emissions.map { $0.budget.stagesEnd.duration(to: $0.instant) }),
            control: Lateness(emissions.map(\.control)), outcomes: outcomes, decoded: decoded)
    }

    /// Returns the lateness of a plain sleep until the same deadline, for comparison.
    private static func control(_ deadline: MonotonicInstant) async -> Duration {
        let clock = SystemClock()
        await clock.sleep(until: deadline)
        return deadline.duration(to: clock.now)
    }

    /// Keeps every worker busy with 12-megapixel photos until the task is cancelled. Returns the number of photos.
    private func decode(_ bench: BenchSetup) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for lane in 0..<(2 * ProcessorCount.current) {
                group.addTask {
                    var count = 0
                    while !Task.isCancelled {
                        let photo = try? await bench.submit(
                            "decode-\(lane)-\(count)", path: "/photo-12mp.jpg?\(lane)-\(count)", budget: .seconds(60))
                        guard let photo, await bench.coordinator.content(of: photo.key)?.outcome == .rich else { break }
                        count += 1
                    }
                    return count
                }
            }
            return await group.reduce(0, +)
        }
    }
}

/// The lateness of a number of events, in milliseconds. A negative number means that an event was early.
struct Lateness: Sendable {
    private let sorted: [Double]

    init(_ durations: [Duration]) { sorted = durations.map(\.milliseconds).sorted() }

    /// Returns the smallest number that is at least as large as this share of all numbers (nearest rank).
    func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The quantiles in one line, such as `p50 0.1  p90 …`.
    var summary: String {
        [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)].map { name, share in
            "\(name) \(Self.text(quantile(share)))"
        }.joined(separator: "  ") + "  max \(Self.text(sorted.last ?? 0)) ms"
    }

    /// Returns a line for each range that has events, with their number and a bar. The bounds are in milliseconds.
    func histogram(bounds: [Double]) -> [String] {
        var lines: [String] = []
        let edges = [-Double.infinity] + bounds + [Double.infinity]
        for (low, high) in zip(edges, edges.dropFirst()) {
            let count = sorted.count { $0 > low && $0 <= high }
            guard count > 0 else { continue }
            let range = high == .infinity ? "over \(Self.text(low)) ms" : "up to \(Self.text(high)) ms"
            let bar = String(repeating: "#", count: max(1, count * 50 / sorted.count))
            lines.append(range.leftAligned(in: 16, least: 1) + "\(count)".leftAligned(in: 8, least: 1) + bar)
        }
        return lines
    }

    static func text(_ value: Double) -> String {
        let tenths = value.roundedToTenths
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }
}
