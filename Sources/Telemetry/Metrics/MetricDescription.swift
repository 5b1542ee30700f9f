/// What is said of a metric beside its numbers.
package struct MetricDescription: Sendable {
    package var help: String
    /// Upper bounds of a histogram's buckets, ascending, finite; in seconds for timers.
    package var buckets: [Double]

    package init(help: String, buckets: [Double] = Self.seconds) {
        self.help = help
        self.buckets = buckets
    }

    /// From the time of a cache hit to the standard budget of 30 seconds.
    package static let seconds = [
        0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]
}
