import Base
import TranscodeProtocol

/// The estimated cost of a job, in microseconds on the machine on which the workers' costs were measured.
struct TranscodeEstimate: Equatable {
    /// The cost of all requested renditions; 0 if it is unknown.
    var ordered = 0.0
    /// The cost of the cheapest rendition that a worker may make instead; 0 if it is unknown.
    var least = 0.0
}

/// The costs of transcodes, learned from finished jobs as exponentially weighted means. The type has no side effects.
///
/// The estimate of an unknown job has no least cost, so that it is admitted and tried. Serves `overload`: only jobs
/// that can end are downloaded and started.
struct TranscodeEstimator {
    private enum Key: Hashable {
        /// The media of one format and size. The size is a number of pixels, or of bytes if the pixels are unknown.
        /// `magnitude` is its binary logarithm, rounded down.
        case size(MediaFormat, isOfPixels: Bool, magnitude: Int)
        case host(String)
        /// The media of all hosts.
        case anyHost
    }

    /// The weight of one job in a mean.
    private static let share = 0.2
    /// The largest number of means that are stored. The means of all hosts are removed when there are more.
    private static let most = 4_096
    /// The highest cost that is learned, which is ten minutes. Reports of workers are not trusted.
    private static let maxCost = 600_000_000.0
    /// The assumed cost of a video or sound of unknown cost, so that it is a long job.
    private static let unknownVideo = 2_000_000.0

    private(set) var pace = SpeedEstimate()
    private var means: [Key: TranscodeEstimate] = [:]

    /// Returns the cost of a media item that is not downloaded yet: the mean of its host, or else of all hosts.
    ///
    /// The mean of all hosts has no least cost, because the media of an unknown host may be small.
    func estimate(ofHost host: String) -> TranscodeEstimate {
        means[.host(host)] ?? TranscodeEstimate(ordered: means[.anyHost]?.ordered ?? 0)
    }

    /// Returns the cost of a downloaded media item. The result is the mean of its size, or else of its host. The cost
    /// of a still image from an incomplete file is the least cost of its host's media.
    func estimate(of source: TranscodeSource, from host: String) -> TranscodeEstimate {
        if source.isPart {
            let least = means[.host(host)]?.least ?? 0
            return TranscodeEstimate(ordered: least, least: least)
        }
        if let known = means[Self.key(of: source)] ?? means[.host(host)] { return known }
        var unknown = estimate(ofHost: host)
        if source.format.kind != .image { unknown.ordered = max(unknown.ordered, Self.unknownVideo / pace.factor) }
        return unknown
    }

    /// Learns from a finished job. The still image of an incomplete file states nothing about whole files.
    ///
    /// - Parameter took: The time from the job to its reply, in microseconds; `nil` if it includes a worker's start.
    /// - Parameter worked: The time that the worker spent on the job, in microseconds.
    /// - Parameter cost: The cost that the worker computed from the headers.
    /// - Parameter stillsTook: The time from the job to a video's still images, in microseconds; `nil` if it is
    ///   unknown.
    mutating func note(
        _ source: TranscodeSource, from host: String, took: Double?, worked: Double, cost: TranscodeCost?,
        stillsTook: Double? = nil
    ) {
        guard !source.isPart else { return }
        if let made = cost?.made { pace.note(expected: Double(made), took: worked) }
        guard let ordered = orderedCost(took: took, cost) else { return }
        // The headers do not state how much must be decoded up to the first key frame. With the headers alone, a queue
        // of videos would start each job too late for its still image.
        let stills = (stillsTook ?? 0) / pace.factor
        learn(TranscodeEstimate(ordered: ordered, least: max(Double(cost?.least ?? 0), stills)), of: source, from: host)
    }

    /// Learns from a job that was killed after more time than it was expected to take. Otherwise, a host whose jobs
    /// never end would be tried again and again.
    mutating func noteOverrun(_ source: TranscodeSource, from host: String, took: Double) {
        let expected = estimate(of: source, from: host)
        let cost = took / pace.factor
        guard !source.isPart, cost > expected.ordered else { return }
        learn(TranscodeEstimate(ordered: cost, least: expected.least), of: source, from: host)
    }

    /// Returns the cost of all requested renditions, in proportion to the cost of the renditions that were made.
    private func orderedCost(took: Double?, _ cost: TranscodeCost?) -> Double? {
        guard let cost else { return took.map { $0 / pace.factor } }
        guard let took, let made = cost.made, made > 0, cost.ordered <= made.multipliedReportingOverflow(by: 100).0
        else { return Double(cost.ordered) }
        return took / pace.factor * max(1, Double(cost.ordered) / Double(made))
    }

    private mutating func learn(_ cost: TranscodeEstimate, of source: TranscodeSource, from host: String) {
        if means.count >= Self.most {
            means = means.filter { if case .host = $0.key { false } else { true } }
        }
        for key in [Self.key(of: source), .host(host), .anyHost] { learn(cost, as: key) }
    }

    private mutating func learn(_ cost: TranscodeEstimate, as key: Key) {
        guard cost.ordered.isFinite, cost.ordered >= 0 else { return }
        let ordered = min(cost.ordered, Self.maxCost)
        let least = min(cost.least, ordered)
        guard let mean = means[key] else {
            means[key] = TranscodeEstimate(ordered: ordered, least: least)
            return
        }
        means[key] = TranscodeEstimate(
            ordered: mean.ordered + (ordered - mean.ordered) * Self.share,
            least: mean.least + (least - mean.least) * Self.share)
    }

    private static func key(of source: TranscodeSource) -> Key {
        let measure = max(1, source.pixels ?? source.byteCount)
        let magnitude = Int.bitWidth - 1 - measure.leadingZeroBitCount
        return .size(source.container, isOfPixels: source.pixels != nil, magnitude: magnitude)
    }
}
