import TranscodeProtocol

/// The cost of a job, in microseconds of the machine that the workers' figures are of. Times the pace it is a time.
struct TranscodeEstimate: Equatable {
    /// The cost of all that is ordered; 0 when nothing is known.
    var ordered = 0.0
    /// The cost of the least that a worker makes in its place; 0 when nothing is known.
    var least = 0.0
    /// The figures are of the host or of the size class. Otherwise they are means of all hosts.
    var isKnown = false
}

/// The costs of transcodes, learned from jobs that have ended: by format and size, and by the host that a medium comes
/// from, each as an exponentially weighted mean. Pure.
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

    private struct Means {
        var ordered: Double
        var least: Double
    }

    /// Weight of one job in a mean.
    private static let share = 0.2
    /// Hosts that are remembered; all are forgotten when there are more.
    private static let mostHosts = 4_096
    /// No job costs more: ten minutes. Workers are not believed.
    private static let mostCost = 600_000_000.0
    /// Share of the ordered cost that the least costs, until a job has told it.
    private static let assumedLeastShare = 0.25

    private(set) var pace = SpeedEstimate()
    private var sizes: [SizeClass: Double] = [:]
    private var leastShares: [SourceFormat: Double] = [:]
    private var hosts: [String: Means] = [:]
    /// The means of all hosts.
    private var all: Means?
    /// The costs of stills of incomplete files.
    private var parts: [SourceFormat: Double] = [:]

    /// Returns the cost of a medium that is not downloaded yet: the mean of the last media of its host, or else of all hosts.
    func estimate(ofHost host: String) -> TranscodeEstimate {
        guard let means = hosts[host] ?? all else { return TranscodeEstimate() }
        return TranscodeEstimate(ordered: means.ordered, least: means.least, isKnown: hosts[host] != nil)
    }

    /// Returns the cost of a still of the first bytes of a file: the mean of the last stills of its format, or else the
    /// least of the last media of its host.
    ///
    /// - Parameter format: `nil` before the bytes are read.
    func estimate(ofPartFrom host: String, as format: SourceFormat? = nil) -> TranscodeEstimate {
        let ofHost = estimate(ofHost: host)
        let ofFormat = format.flatMap { parts[$0] }
        let cost = ofFormat ?? ofHost.least
        return TranscodeEstimate(ordered: cost, least: cost, isKnown: ofFormat != nil || ofHost.isKnown)
    }

    /// Returns the cost of a downloaded medium: the mean of its size class, or else the nearest one's in proportion.
    func estimate(of source: SourceMeasure, from host: String) -> TranscodeEstimate {
        let wanted = Self.sizeClass(of: source)
        guard let ordered = sizes[wanted] ?? nearest(to: wanted) else { return estimate(ofHost: host) }
        return TranscodeEstimate(
            ordered: ordered, least: ordered * (leastShares[source.format] ?? Self.assumedLeastShare), isKnown: true)
    }

    /// Learns from a job that has ended.
    ///
    /// - Parameters:
    ///   - took: microseconds from its sending to its reply; `nil` when they have a worker's start in them.
    ///   - worked: those that the worker has spent at it.
    ///   - cost: as the worker's headers have it.
    ///   - stillsTook: microseconds from its sending to the stills of a video; `nil` if they are not known.
    mutating func note(
        _ source: SourceMeasure, from host: String, took: Double?, worked: Double, cost: TranscodeCost?,
        stillsTook: Double? = nil
    ) {
        var cost = cost
        // The headers do not tell how far the first key frame is.
        if let stillsTook, let least = cost?.least {
            cost?.least = max(least, UInt64(max(0, min(stillsTook / pace.factor, Self.mostCost))))
        }
        if let made = cost?.made { pace.note(expected: Double(made), took: worked) }
        if let cost, cost.ordered > 0 {
            let share = min(1, Double(cost.least) / Double(cost.ordered))
            Self.average(share, into: &leastShares[source.format])
        }
        guard let ordered = orderedCost(took: took, cost) else { return }
        learn(ordered, least: cost.map { Double($0.least) }, of: source, from: host)
    }

    /// Learns from the still of the first bytes of a file.
    ///
    /// - Parameter took: microseconds from the sending of its job to the reply, without a worker's start.
    mutating func notePart(as format: SourceFormat, took: Double) {
        Self.average(min(took / pace.factor, Self.mostCost), into: &parts[format])
    }

    /// Learns from a job that was killed after more time than it was expected to take.
    mutating func noteOverrun(_ source: SourceMeasure, from host: String, took: Double) {
        let cost = took / pace.factor
        guard cost > estimate(of: source, from: host).ordered else { return }
        learn(cost, least: hosts[host]?.least, of: source, from: host)
    }

    /// Returns the cost of all that was ordered, in proportion to the cost of the renditions that were made.
    private func orderedCost(took: Double?, _ cost: TranscodeCost?) -> Double? {
        guard let cost else { return took.map { $0 / pace.factor } }
        guard let took, let made = cost.made, made > 0, cost.ordered <= made.multipliedReportingOverflow(by: 100).0
        else {
            return Double(cost.ordered)
        }
        return took / pace.factor * max(1, Double(cost.ordered) / Double(made))
    }

    /// - Parameter least: `nil` if it is not known.
    private mutating func learn(_ cost: Double, least: Double?, of source: SourceMeasure, from host: String) {
        let cost = min(cost, Self.mostCost)
        let least = min(cost, least ?? cost * Self.assumedLeastShare)
        Self.average(cost, into: &sizes[Self.sizeClass(of: source)])
        if hosts.count >= Self.mostHosts, hosts[host] == nil { hosts = [:] }
        Self.average(Means(ordered: cost, least: least), into: &hosts[host])
        Self.average(Means(ordered: cost, least: least), into: &all)
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

    private static func average(_ value: Means, into means: inout Means?) {
        var (ordered, least) = (means?.ordered, means?.least)
        average(value.ordered, into: &ordered)
        average(value.least, into: &least)
        if let ordered, let least { means = Means(ordered: ordered, least: least) }
    }
}
