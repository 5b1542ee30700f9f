/// The number of rounds and jobs of a comparison.
struct Pace: Sendable {
    /// The number of measured rounds. Both sides work in each round. An additional first round is a warm-up.
    let rounds: Int
    /// The shortest time for which a side works before the other side works, in nanoseconds.
    let turn: Int

    /// Returns the number of jobs per turn, by the time that a warm process needs for one job.
    func jobs(warming process: borrowing WarmProcess) throws -> Int {
        _ = try process.measure(jobs: 1)
        let wall = try process.measure(jobs: 1).wall
        return min(20, max(1, (turn + wall - 1) / max(1, wall)))
    }
}
