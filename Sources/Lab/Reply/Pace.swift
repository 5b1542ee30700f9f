/// Spreads a body evenly over a time, a piece at each tick, the last byte at the end.
package struct Pace: Sendable, Equatable {
    /// Pieces come no faster than this, so a slow drip of a large body is not a flood of timers.
    package static let shortestTick = Duration.milliseconds(50)

    /// A head is short, and is to come byte by byte.
    package static let shortestHeadTick = Duration.milliseconds(1)

    private let bytes: Int
    private let nanoseconds: Int64
    private let ticks: Int64

    /// `nil` where there is nothing to spread, or no time to spread it over.
    package init?(bytes: Int, over duration: Duration, tick: Duration = shortestTick) {
        guard bytes > 0, duration > .zero else { return nil }
        self.bytes = bytes
        nanoseconds = duration.inNanoseconds
        ticks = max(1, min(Int64(bytes), nanoseconds / tick.inNanoseconds))
    }

    /// How many bytes are due. It goes on growing after the body's end, for a body that begins again.
    package func offset(at elapsed: Duration) -> Int { offset(atTick: tick(at: elapsed)) }

    /// When the next piece is due, from the beginning of the body.
    package func nextTick(after elapsed: Duration) -> Duration {
        // Rounded up, or a timer that fires on time would find its tick not yet reached.
        .nanoseconds(((tick(at: elapsed) + 1) * nanoseconds + ticks - 1) / ticks)
    }

    private func tick(at elapsed: Duration) -> Int64 { elapsed.inNanoseconds * ticks / nanoseconds }

    private func offset(atTick tick: Int64) -> Int {
        // Whole rounds apart: bytes × ticks of many rounds would overflow for a large body.
        let (rounds, rest) = tick.quotientAndRemainder(dividingBy: ticks)
        return bytes * Int(rounds) + bytes / Int(ticks) * Int(rest) + bytes % Int(ticks) * Int(rest) / Int(ticks)
    }
}
