import MediaTypes
import TranscodeProtocol

/// The estimated cost of a job, in microseconds on the machine on which the workers' costs were measured. The cost
/// multiplied by the pace is a time.
struct TranscodeEstimate: Equatable {
    /// The cost of all requested renditions; 0 if it is unknown.
    var ordered = 0.0
    /// The cost of the cheapest rendition that a worker may make instead; 0 if it is unknown.
    var least = 0.0
    /// Whether the costs are those of the host or of the size class. Otherwise they are means of all hosts.
    var isKnown = false
}

/// The costs of transcodes, learned from finished jobs. The costs are exponentially weighted means for each format and
/// size, and for each host of media items. The type has no side effects.
///
/// The estimate of an unknown job is 0, so that it is admitted and tried.
struct TranscodeEstimator {
    private struct SizeClass: Hashable {
        var format: MediaFormat
        /// Whether the size of the class is a number of pixels. Otherwise it is a number of bytes.
        var isOfPixels: Bool
        /// The binary logarithm of the size, rounded down.
        var magnitude: Int
    }

    private struct Means {
        var ordered: Double
        var least: Double
    }

    /// The weight of one job in a mean.
    private static let share = 0.2
    /// The largest number of hosts that are stored. All hosts are removed when there are more.
    private static let mostHosts = 4_096
    /// The highest cost that is learned, which is ten minutes. Reports of workers are not trusted.
    private static let mostCost = 600_000_000.0
    /// The assumed cost of the cheapest rendition as a fraction of the cost of all requested renditions. This fraction
    /// is used until a job has reported the cost.
    private static let assumedLeastShare = 0.25

    private(set) var pace = SpeedEstimate()
    private var sizes: [SizeClass: Double] = [:]
    private var leastShares: [MediaFormat: Double] = [:]
    private var hosts: [String: Means] = [:]
    /// The means of all hosts; `nil` before the first job.
    private var all: Means?
    /// The costs of still images of incomplete files.
    private var parts: [MediaFormat: Double] = [:]

    /// Returns the cost of a media item that is not downloaded yet. The result is the mean of the last media items of
    /// its host, or else of all hosts.
    func estimate(ofHost host: String) -> TranscodeEstimate {
        guard let means = hosts[host] ?? all else { return TranscodeEstimate() }
        return TranscodeEstimate(ordered: means.ordered, least: means.least, isKnown: hosts[host] != nil)
    }

    /// Returns the cost of a still image from the first bytes of a file. The result is the mean of the last such images
    /// of its format, or else the cost of the cheapest rendition from its host.
    ///
    /// - Parameter format: The format of the file; `nil` before the bytes are read.
    func estimate(ofPartFrom host: String, as format: MediaFormat? = nil) -> TranscodeEstimate {
        let ofHost = estimate(ofHost: host)
        let ofFormat = format.flatMap { parts[$0] }
        let cost = ofFormat ?? ofHost.least
        return TranscodeEstimate(ordered: cost, least: cost, isKnown: ofFormat != nil || ofHost.isKnown)
    }

    /// Returns the cost of a downloaded media item. The result is the mean of its size class, or else the mean of the
    /// nearest class, scaled in proportion to the size.
    func estimate(of source: SourceMeasure, from host: String) -> TranscodeEstimate {
        let wanted = Self.sizeClass(of: source)
        guard let ordered = sizes[wanted] ?? nearest(to: wanted) else { return estimate(ofHost: host) }
        return TranscodeEstimate(
            ordered: ordered, least: ordered * (leastShares[source.format] ?? Self.assumedLeastShare), isKnown: true)
    }

    /// Learns from a finished job.
    ///
    /// - Parameter took: The time from the sending of the job to its reply, in microseconds; `nil` if it includes a
    ///   worker's start.
    /// - Parameter worked: The time that the worker spent on the job, in microseconds.
    /// - Parameter cost: The cost that the worker computed from the headers.
    /// - Parameter stillsTook: The time from the sending of the job to the still images of a video, in microseconds;
    ///   `nil` if it is unknown.
    mutating func note(
        _ source: SourceMeasure, from host: String, took: Double?, worked: Double, cost: TranscodeCost?,
        stillsTook: Double? = nil
    ) {
        var cost = cost
        // The headers do not state how much must be decoded up to the first key frame.
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

    /// Learns from the still image of the first bytes of a file.
    ///
    /// - Parameter took: The time from the sending of the image's job to the reply, in microseconds and without a
    ///   worker's start.
    mutating func notePart(as format: MediaFormat, took: Double) {
        Self.average(min(took / pace.factor, Self.mostCost), into: &parts[format])
    }

    /// Learns from a job that was killed after more time than it was expected to take.
    mutating func noteOverrun(_ source: SourceMeasure, from host: String, took: Double) {
        let cost = took / pace.factor
        guard cost > estimate(of: source, from: host).ordered else { return }
        learn(cost, least: hosts[host]?.least, of: source, from: host)
    }

    /// Returns the cost of all requested renditions, in proportion to the cost of the renditions that were made.
    private func orderedCost(took: Double?, _ cost: TranscodeCost?) -> Double? {
        guard let cost else { return took.map { $0 / pace.factor } }
        guard let took, let made = cost.made, made > 0, cost.ordered <= made.multipliedReportingOverflow(by: 100).0
        else {
            return Double(cost.ordered)
        }
        return took / pace.factor * max(1, Double(cost.ordered) / Double(made))
    }

    /// Adds a job to the means.
    ///
    /// - Parameter least: The cost of the cheapest rendition; `nil` if it is unknown.
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
