/// How much longer a job takes than its headers let expect: learned from the jobs before, for the machine and for what
/// else runs on it. Pure.
package struct WorkPace: Sendable, Equatable {
    /// Times the expected. A worker that knows nothing yet counts on a machine that is a quarter slower.
    package private(set) var factor = 1.25

    /// Of what is expected of a picture, so much more may be needed: headers do not tell everything.
    private static let margin = 1.5
    /// What one job counts for.
    private static let share = 0.2
    private static let range = 0.1...20.0
    /// Shorter ones tell of the clock and not of the machine, in microseconds.
    private static let least = 1_000.0

    package init() {}

    /// How much of expected time fits into a time that there is, both in microseconds.
    func expected(in time: Double) -> Double { time / (factor * Self.margin) }

    /// - Parameters: in microseconds.
    mutating func note(expected: Double, took: Double) {
        guard expected >= Self.least, took > 0 else { return }
        let next = factor + (took / expected - factor) * Self.share
        factor = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}

/// The time that one job has, and what it was expected to take.
struct JobTime {
    /// Of expected microseconds; `nil`: as long as it takes.
    let budget: Double?
    /// In microseconds; `nil` where nobody can tell.
    var expected: Double?

    /// - Parameters:
    ///   - deadline: of `MonotonicClock`, in microseconds; and so `now`. What has passed since the job was sent, a worker's
    ///     start among it, is not there any more.
    init(until deadline: UInt64?, from now: UInt64, at pace: WorkPace) {
        budget = deadline.map { pace.expected(in: $0 > now ? Double($0 - now) : 0) }
    }
}
