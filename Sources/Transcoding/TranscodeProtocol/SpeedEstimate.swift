/// The ratio of the time that jobs take to the time expected from their headers. The type has no side effects.
///
/// The ratio is learned from earlier jobs, so it includes the speed of the machine and its other load. The pool learns
/// the ratio and sends it with each job, so a worker that has just started can also use it.
package struct SpeedEstimate: Sendable, Equatable {
    /// The time divided by the expected time, 0.1…20. A machine without jobs is assumed to be a quarter slower.
    package private(set) var factor = 1.25

    /// The factor by which a job may exceed its expected time, because its headers do not show its whole cost.
    private static let margin = 1.5
    /// The weight of one job in the moving average.
    private static let share = 0.2
    private static let range = 0.1...20.0
    /// The shortest expected time that counts, in microseconds. A shorter job says little about the machine.
    private static let least = 1_000.0

    package init() {}

    /// Reads a factor from a message.
    ///
    /// - Throws: `WireError` if the factor is outside of its range.
    init(thousandths: UInt32) throws(WireError) {
        guard Self.range.contains(Double(thousandths) / 1_000) else { throw WireError() }
        factor = Double(thousandths) / 1_000
    }

    /// The factor in a message, in thousandths.
    var thousandths: UInt32 { UInt32((factor * 1_000).rounded()) }

    /// Returns the expected time of jobs that fit into the available time, both in microseconds.
    package func expected(in time: Double) -> Double { time / (factor * Self.margin) }

    /// Adds a job to the average.
    ///
    /// - Parameter expected: The expected time, in microseconds. A job of less than a millisecond is ignored.
    /// - Parameter took: The time that the job took, in microseconds.
    package mutating func note(expected: Double, took: Double) {
        guard expected >= Self.least, took > 0 else { return }
        let next = factor + (took / expected - factor) * Self.share
        factor = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}
