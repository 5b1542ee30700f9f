import Glibc

/// A distribution of durations, for quantiles of any number of values.
///
/// A value is counted in one of 82 buckets. The bounds of the buckets grow by the factor 2^¼ from 0.25 ms to 262 s, so a
/// quantile is at most 19 % too long. A distribution takes 0.4 KB, and an empty one takes none.
package struct DurationDistribution: Sendable, Equatable {
    private static let minMilliseconds = 0.25
    private static let bucketsPerOctave = 4.0
    private static let bucketCount = 82

    private var counts: [UInt32] = []
    /// The number of values.
    package private(set) var count = 0

    package init() {}

    /// Adds a duration. A negative one counts as zero.
    package mutating func add(_ duration: Duration) {
        if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.bucketCount) }
        let octaves = log2(max(duration.milliseconds, Self.minMilliseconds) / Self.minMilliseconds)
        let bucket = min(Int((octaves * Self.bucketsPerOctave).rounded(.up)), Self.bucketCount - 1)
        if counts[bucket] < .max { counts[bucket] += 1 }
        count += 1
    }

    package static func += (sum: inout DurationDistribution, other: DurationDistribution) {
        guard !other.counts.isEmpty else { return }
        if sum.counts.isEmpty { sum.counts = [UInt32](repeating: 0, count: bucketCount) }
        for index in sum.counts.indices {
            sum.counts[index] = UInt32(clamping: UInt64(sum.counts[index]) + UInt64(other.counts[index]))
        }
        sum.count += other.count
    }

    /// Returns a duration that at least the given share of the values does not exceed; `nil` without values.
    ///
    /// - Parameter share: The share, 0…1. For example, 0.95 returns the 95th percentile.
    package func quantile(_ share: Double) -> Duration? {
        guard count > 0 else { return nil }
        let wanted = max(1, Int((Double(count) * share).rounded(.up)))
        var sum = 0
        for (index, number) in counts.enumerated() {
            sum += Int(number)
            guard sum < wanted else { return Self.bound(of: index) }
        }
        return Self.bound(of: Self.bucketCount - 1)
    }

    private static func bound(of bucket: Int) -> Duration {
        .milliseconds(minMilliseconds * exp2(Double(bucket) / bucketsPerOctave))
    }
}
