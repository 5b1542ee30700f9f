import Base
import Glibc

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

/// A random choice about one request that follows from a seed, so that the same requests have the same choices in any
/// order.
package struct Chance {
    private var state: UInt64

    /// - Parameters:
    ///   - key: The key of the request in the counts.
    ///   - attempt: The number of the request among those with its key.
    package init(seed: UInt64, key: String, attempt: Int) {
        // FNV-1a, whose value does not differ between runs as that of `Hasher` does.
        let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325) { (hash: UInt64, byte) in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        state = seed ^ hash ^ (UInt64(attempt) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// Returns the next number of SplitMix64, from 0 to less than 1.
    package mutating func unit() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((value ^ (value >> 31)) >> 11) * 0x1p-53
    }

    /// Returns a number of the normal distribution, by the method of Box and Muller.
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * Double.pi * unit())
    }

    /// Returns a delay of the log-normal distribution, at most the longest fault.
    mutating func delay(median: Duration, sigma: Double) -> Duration {
        min(.seconds(median.seconds * exp(sigma * normal())), .maxFault)
    }
}
