import BenchReport

/// The result of one comparison with libvips.
struct ImageMeasurement {
    let name: String
    /// The largest ratio to libvips' processor time; `nil` if the ratio is reported without a target.
    let timeTarget: Double?
    let pairs: [(ours: JobUsage, peers: JobUsage)]
    /// The peaks of the memory of both sides, in MiB.
    let memory: (ours: Double, peers: Double)
    /// The SSIM of both sides with the reference.
    let similarities: (ours: Double, peers: Double)
    /// The largest SSIM that the coding of the output permits.
    let maxSimilarity: Double
    let stages: StageRow

    var similarity: Double { similarities.ours }

    /// Returns the rows of the table.
    ///
    /// - Parameter wanted: The lowest SSIM that meets the target; `nil` if the value is reported without a target.
    func rows(wanting wanted: Double?) -> [ResultRow] {
        let bytes = pairs.suffix(1).map { (Double($0.ours.bytes) / 1_000, Double($0.peers.bytes) / 1_000) }
        let times = pairs.map { (Double($0.ours.processor) / 1e6, Double($0.peers.processor) / 1e6) }
        let shares = (similarities.ours / maxSimilarity, similarities.peers / maxSimilarity)
        return [
            ResultRow("\(name): processor time", times, " ms", target: timeTarget.map { .most($0) } ?? .none),
            ResultRow(similarity: "\(name): SSIM", similarities, target: wanted.map { .least($0) } ?? .none),
        ]
            + (maxSimilarity < 1
                ? [
                    ResultRow(
                        similarity: "\(name): SSIM, of the \(maxSimilarity.text(digits: 4)) that its quality leaves",
                        shares)
                ] : [])
            + [
                ResultRow("\(name): bytes", bytes, " kB"), ResultRow("\(name): peak memory", [memory], " MiB"),
            ]
    }
}
