import TranscodeProtocol

/// What a job costs, in microseconds of the machine that the workers' figures are of. Times the pace it is a time.
struct TranscodeEstimate: Equatable {
    /// Of all that is ordered; 0 when nothing is known.
    var ordered = 0.0
    /// Of the least that a worker makes in its place.
    var least = 0.0
}

/// What transcodes cost, learned from those that have ended: by format and size, and by the host that a medium comes from,
/// each as an exponentially weighted mean. Pure.
///
/// Nothing is assumed of what has not been seen: its estimate is 0, so that it is admitted and tried.
struct TranscodeEstimator {
    private struct SizeClass: Hashable {
        var format: SourceFormat
        /// By pixels, or else by bytes.
        var isOfPixels: Bool
        /// The binary logarithm, rounded down.
        var magnitude: Int
    }

    /// Weight of one job in a mean.
    private static let share = 0.2
    /// Hosts that are remembered; all are forgotten when there are more.
    private static let mostHosts = 4_096
    /// No job costs more: ten minutes. Workers are not believed.
    private static let mostCost = 600_000_000.0
    /// Of what is ordered; what the least costs until a job has told it.
    private static let assumedLeastShare = 0.25

    private(set) var pace = SpeedEstimate()
    private var sizes: [SizeClass: Double] = [:]
    private var leastShares: [SourceFormat: Double] = [:]
    private var hosts: [String: Double] = [:]
    /// Of all hosts.
    private var mean: Double?

    /// Returns the cost of a medium that is not downloaded yet: the mean of its host's last media. Of a host that is
    /// unknown, the mean of all is what its media may cost others, and 0 the least.
    func estimate(ofHost host: String) -> TranscodeEstimate {
        guard let ordered = hosts[host] else { return TranscodeEstimate(ordered: mean ?? 0, least: 0) }
        return TranscodeEstimate(ordered: ordered, least: ordered * Self.assumedLeastShare)
    }

    /// Returns the cost of a downloaded medium: the mean of its size class, or else the nearest one's in proportion.
    func estimate(of source: SourceMeasure, from host: String) -> TranscodeEstimate {
        let wanted = Self.sizeClass(of: source)
        guard let ordered = sizes[wanted] ?? nearest(to: wanted) else { return estimate(ofHost: host) }
        return TranscodeEstimate(
            ordered: ordered, least: ordered * (leastShares[source.format] ?? Self.assumedLeastShare))
    }

    /// Learns from a job that has ended.
    ///
    /// - Parameters:
    ///   - took: microseconds from its sending to its reply; `nil` when they have a worker's start in them.
    ///   - worked: those that the worker has spent at it.
    ///   - cost: as the worker's headers have it.
    mutating func note(
        _ source: SourceMeasure, from host: String, took: Double?, worked: Double, cost: TranscodeCost?
    ) {
        if let made = cost?.made { pace.note(expected: Double(made), took: worked) }
        if let cost, cost.ordered > 0 {
            let share = min(1, Double(cost.least) / Double(cost.ordered))
            Self.average(share, into: &leastShares[source.format])
        }
        guard let ordered = orderedCost(took: took, cost) else { return }
        learn(ordered, of: source, from: host)
    }

    /// Learns from a job that was killed after more time than it was expected to take.
    mutating func noteOverrun(_ source: SourceMeasure, from host: String, took: Double) {
        let cost = took / pace.factor
        guard cost > estimate(of: source, from: host).ordered else { return }
        learn(cost, of: source, from: host)
    }

    /// What was ordered would have cost in proportion to what was made.
    private func orderedCost(took: Double?, _ cost: TranscodeCost?) -> Double? {
        guard let cost else { return took.map { $0 / pace.factor } }
        guard let took, let made = cost.made, made > 0, cost.ordered <= made.multipliedReportingOverflow(by: 100).0
        else {
            return Double(cost.ordered)
        }
        return took / pace.factor * max(1, Double(cost.ordered) / Double(made))
    }

    private mutating func learn(_ cost: Double, of source: SourceMeasure, from host: String) {
        let cost = min(cost, Self.mostCost)
        Self.average(cost, into: &sizes[Self.sizeClass(of: source)])
        if hosts.count >= Self.mostHosts, hosts[host] == nil { hosts = [:] }
        Self.average(cost, into: &hosts[host])
        Self.average(cost, into: &mean)
    }

    private func nearest(to wanted: SizeClass) -> Double? {
        let known = sizes.filter { $0.key.format == wanted.format && $0.key.isOfPixels == wanted.isOfPixels }
        let nearest = known.min {
            (abs($0.key.magnitude - wanted.magnitude), $0.key.magnitude)
                < (abs($1.key.magnitude - wanted.magnitude), $1.key.magnitude)
        }
        guard let nearest else { return nil }
        let halvings = nearest.key.magnitude - wanted.magnitude
        return halvings >= 0
            ? nearest.value / Double(1 << min(halvings, 62)) : nearest.value * Double(1 << min(-halvings, 62))
    }

    private static func sizeClass(of source: SourceMeasure) -> SizeClass {
        let measure = max(1, source.pixels ?? source.byteCount)
        return SizeClass(
            format: source.format, isOfPixels: source.pixels != nil,
            magnitude: Int.bitWidth - 1 - measure.leadingZeroBitCount)
    }

    private static func average(_ value: Double, into mean: inout Double?) {
        guard value.isFinite, value >= 0 else { return }
        mean = mean.map { $0 + (value - $0) * share } ?? value
    }
}
