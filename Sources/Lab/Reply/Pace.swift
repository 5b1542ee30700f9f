import Primitives

/// A schedule that spreads a body evenly over a time. Each tick sends a piece, and the last tick sends the last byte.
package struct Pace: Sendable, Equatable {
    /// The shortest time between two pieces, so that a slow drip of a large body does not need too many timers.
    package static let shortestTick = Duration.milliseconds(50)

    /// The shortest time between two pieces of a head. A head is short and is sent byte by byte.
    package static let shortestHeadTick = Duration.milliseconds(1)

    private let bytes: Int
    private let nanoseconds: Int64
    private let ticks: Int64

    /// Creates a schedule; `nil` if there are no bytes, or if the duration is zero.
    package init?(bytes: Int, over duration: Duration, tick: Duration = shortestTick) {
        guard bytes > 0, duration > .zero else { return nil }
        self.bytes = bytes
        nanoseconds = duration.nanoseconds
        ticks = max(1, min(Int64(bytes), nanoseconds / tick.nanoseconds))
    }

    /// Returns the number of bytes that are due. For an endless body, the number grows beyond the size of the body.
    package func offset(at elapsed: Duration) -> Int {
        // Whole rounds are computed separately, because bytes × ticks of many rounds would overflow for a large body.
        let (rounds, rest) = tick(at: elapsed).quotientAndRemainder(dividingBy: ticks)
        return bytes * Int(rounds) + bytes / Int(ticks) * Int(rest) + bytes % Int(ticks) * Int(rest) / Int(ticks)
    }

    /// Returns the time at which the next piece is due, counted from the beginning of the body.
    package func nextTick(after elapsed: Duration) -> Duration {
        // The time is rounded up. Otherwise a punctual timer would find that its tick is not reached yet.
        .nanoseconds(((tick(at: elapsed) + 1) * nanoseconds + ticks - 1) / ticks)
    }

    private func tick(at elapsed: Duration) -> Int64 { elapsed.nanoseconds * ticks / nanoseconds }
}
