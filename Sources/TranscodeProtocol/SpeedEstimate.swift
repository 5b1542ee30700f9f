/// How much longer a job takes than its headers let expect: learned from the jobs before, for the machine and for what
/// else runs on it. Pure.
///
/// The pool learns it and sends it with each job, so that a worker that has just been started knows it too.
package struct SpeedEstimate: Sendable, Equatable {
    /// Time over expected time, 0.1…20. Until a job has ended, a machine that is a quarter slower is assumed.
    package private(set) var factor = 1.25

    /// Of what is expected of a picture, so much more may be needed: headers do not tell everything.
    private static let margin = 1.5
    /// Weight of one job in the mean.
    private static let share = 0.2
    private static let range = 0.1...20.0
    /// Shorter ones tell of the clock and not of the machine, in microseconds.
    private static let least = 1_000.0

    package init() {}

    /// - Throws: outside of the range.
    init(thousandths: UInt32) throws(WireError) {
        guard Self.range.contains(Double(thousandths) / 1_000) else { throw WireError() }
        factor = Double(thousandths) / 1_000
    }

    /// As it is sent.
    var thousandths: UInt32 { UInt32((factor * 1_000).rounded()) }

    /// Returns how much of expected time fits into a time that there is, both in microseconds.
    package func expected(in time: Double) -> Double { time / (factor * Self.margin) }

    /// - Parameters: in microseconds.
    package mutating func note(expected: Double, took: Double) {
        guard expected >= Self.least, took > 0 else { return }
        let next = factor + (took / expected - factor) * Self.share
        factor = min(max(next, Self.range.lowerBound), Self.range.upperBound)
    }
}
