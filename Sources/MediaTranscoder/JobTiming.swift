import LinuxIO
import TranscodeProtocol

/// Adds up where the time of one job goes. Monotonic, in microseconds.
struct StageClock {
    private var totals: [TranscodeStage.Name: UInt64] = [:]

    /// Runs the body and books its time on the stage, also when it throws.
    mutating func measure<Result: ~Copyable, Failure: Error>(
        _ name: TranscodeStage.Name, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = MonotonicClock.microseconds
        defer { totals[name, default: 0] += MonotonicClock.microseconds &- start }
        return try body()
    }

    /// The stages that took part, in their order.
    var stages: [TranscodeStage] {
        TranscodeStage.Name.allCases.compactMap { name in
            totals[name].map { TranscodeStage(name: name, microseconds: $0) }
        }
    }
}

/// The time that one job has, and what it costs.
struct TimeAllowance {
    /// The allowance in expected microseconds; `nil` means no limit.
    let budget: Double?
    /// As in `TranscodeJob`.
    let deadline: UInt64?
    private let pace: SpeedEstimate
    /// `nil` when nothing tells it beforehand.
    var cost: TranscodeCost?

    /// - Parameters:
    ///   - deadline: of `MonotonicClock`, in microseconds; and so `now`. What has passed since the job was sent, a worker's
    ///     start among it, is not there any more.
    init(until deadline: UInt64?, from now: UInt64, at pace: SpeedEstimate) {
        self.deadline = deadline
        self.pace = pace
        budget = deadline.map { pace.expected(in: $0 > now ? Double($0 - now) : 0) }
    }

    /// Returns how much of the expected microseconds of a video there is time for. A video is watched while it is encoded,
    /// and has a still to fall back on: no more is reserved for what its headers do not say.
    func forVideo(at now: UInt64) -> Double {
        guard let deadline else { return .infinity }
        return deadline > now ? Double(deadline - now) / pace.factor : 0
    }
}
