import BenchReport

/// What one comparison with libvips came to.
struct ImageMeasurement {
    let name: String
    /// The most of libvips' processor time that ours may take; `nil`: told, without a promise.
    let timeTarget: Double?
    let pairs: [(ours: JobUsage, peers: JobUsage)]
    /// Highest marks, in MiB.
    let memory: (ours: Double, peers: Double)
    /// SSIM with the reference.
    let similarities: (ours: Double, peers: Double)
    /// The most of it that the output's coding leaves.
    let mostSimilarity: Double
    let stages: StageRow

    var similarity: Double { similarities.ours }

    /// - Parameter wanted: the least SSIM; `nil`: told, without a promise.
    func rows(wanting wanted: Double?) -> [ResultRow] {
        let bytes = pairs.suffix(1).map { (Double($0.ours.bytes) / 1_000, Double($0.peers.bytes) / 1_000) }
        let times = pairs.map { (Double($0.ours.processor) / 1e6, Double($0.peers.processor) / 1e6) }
        let shares = (similarities.ours / mostSimilarity, similarities.peers / mostSimilarity)
        return [
            ResultRow("\(name): processor time", times, " ms", target: timeTarget.map { .most($0) } ?? .none),
            ResultRow(similarity: "\(name): SSIM", similarities, target: wanted.map { .least($0) } ?? .none),
        ]
            + (mostSimilarity < 1
                ? [
                    ResultRow(
                        similarity: "\(name): SSIM, of the \(mostSimilarity.text(digits: 4)) that its quality leaves",
                        shares)
                ] : [])
            + [
                ResultRow("\(name): bytes", bytes, " kB"), ResultRow("\(name): peak memory", [memory], " MiB"),
            ]
    }
}
