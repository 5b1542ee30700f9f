import TranscodeProtocol

/// The time that one job has, and what it costs.
struct TimeAllowance {
    /// The allowance in expected microseconds; `nil` means no limit.
    let budget: Double?
    /// `nil` when nothing tells it beforehand.
    var cost: TranscodeCost?

    /// - Parameters:
    ///   - deadline: of `MonotonicClock`, in microseconds; and so `now`. What has passed since the job was sent, a worker's
    ///     start among it, is not there any more.
    init(until deadline: UInt64?, from now: UInt64, at pace: SpeedEstimate) {
        budget = deadline.map { pace.expected(in: $0 > now ? Double($0 - now) : 0) }
    }
}
