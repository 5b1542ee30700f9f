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
            row("processor time", times, " ms", timeTarget.map { .most($0) } ?? .none),
            row("SSIM", similarities, wanted.map { .least($0) } ?? .none),
        ]
            + (mostSimilarity < 1
                ? [row("SSIM, of the \(mostSimilarity.text(digits: 4)) that its quality leaves", shares, .none)] : [])
            + [row("bytes", bytes, " kB", .none), row("peak memory", [memory], " MiB", .none)]
    }

    private func row(
        _ what: String, _ values: [(ours: Double, peers: Double)], _ unit: String, _ target: ResultRow.Target
    ) -> ResultRow {
        ResultRow(
            what: "\(name): \(what)", ours: Ratios(values.map(\.ours)).median.text + unit,
            peers: Ratios(values.map(\.peers)).median.text + unit,
            measured: Ratios(values.map { $0.ours / $0.peers }), target: target)
    }

    private func row(_ what: String, _ values: (ours: Double, peers: Double), _ target: ResultRow.Target) -> ResultRow {
        ResultRow(
            what: "\(name): \(what)", ours: values.ours.text(digits: 4), peers: values.peers.text(digits: 4),
            measured: Ratios([values.ours]), target: target, digits: 4)
    }
}
