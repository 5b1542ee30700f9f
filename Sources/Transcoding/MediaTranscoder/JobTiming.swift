import LinuxIO
import TranscodeProtocol

/// A clock that adds up the time of each stage of one job, in microseconds of monotonic time.
struct StageClock {
    private var totals: [TranscodeStage.Name: UInt64] = [:]

    /// Evaluates an expression and adds its time to the stage, even if it throws.
    mutating func measure<Result: ~Copyable>(
        _ name: TranscodeStage.Name, _ expression: @autoclosure () throws(TranscodeFailure) -> Result
    ) throws(TranscodeFailure) -> Result {
        try measure(name) { () throws(TranscodeFailure) in try expression() }
    }

    /// Runs the body and adds its time to the stage, even if the body throws.
    mutating func measure<Result: ~Copyable>(
        _ name: TranscodeStage.Name, _ body: () throws(TranscodeFailure) -> Result
    ) throws(TranscodeFailure) -> Result {
        let start = MonotonicClock.microseconds
        defer { totals[name, default: 0] += MonotonicClock.microseconds &- start }
        return try body()
    }

    /// The stages that were measured, in their order.
    var stages: [TranscodeStage] {
        TranscodeStage.Name.allCases.compactMap { name in totals[name].map { .init(name: name, microseconds: $0) } }
    }
}

/// The time that one job has, and its estimated cost.
struct TimeAllowance {
    /// The allowance in expected microseconds; `nil` means no limit.
    let budget: Double?
    /// The deadline, as in `TranscodeJob`.
    let deadline: UInt64?
    private let pace: SpeedEstimate
    /// The estimated cost; `nil` if there is no estimate.
    var cost: TranscodeCost?

    /// Creates the allowance of a job. Time since it was sent, such as a worker's start, is no longer available.
    ///
    /// - Parameter deadline: The deadline, in microseconds of `MonotonicClock`; `nil` means no limit.
    /// - Parameter now: The current time, in microseconds of `MonotonicClock`.
    init(until deadline: UInt64?, from now: UInt64, at pace: SpeedEstimate) {
        self.deadline = deadline
        self.pace = pace
        budget = deadline.map { pace.expected(in: $0 > now ? Double($0 - now) : 0) }
    }

    /// Returns the time for a video, in expected microseconds. A video's progress is watched while it is encoded, and a
    /// still image can replace it. No time is therefore reserved for unknown costs.
    func forVideo(at now: UInt64) -> Double {
        guard let deadline else { return .infinity }
        return deadline > now ? Double(deadline - now) / pace.factor : 0
    }
}
