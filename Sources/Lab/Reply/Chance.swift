import Glibc
import Primitives

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
        min(.seconds(median.seconds * exp(sigma * normal())), .longestFault)
    }
}
