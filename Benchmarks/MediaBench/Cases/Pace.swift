/// How often each side does its work.
struct Pace: Sendable {
    /// Of both sides, one after the other; one more warms them and is not counted.
    let rounds: Int
    /// That a side's turn takes at least, in nanoseconds.
    let turn: Int

    /// - Returns: jobs of a turn, by the time that a warm process takes for one.
    func jobs(warming process: borrowing WarmProcess) throws -> Int {
        _ = try process.measure(jobs: 1)
        let wall = try process.measure(jobs: 1).wall
        return min(20, max(1, (turn + wall - 1) / max(1, wall)))
    }
}
