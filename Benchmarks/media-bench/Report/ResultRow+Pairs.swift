import BenchReport

extension ResultRow {
    /// Creates a row with the values of both sides in each round. The row's result is their ratio.
    init(_ what: String, _ values: [(ours: Double, peers: Double)], _ unit: String, target: Target = .none) {
        self.init(
            what: what, ours: Ratios(values.map(\.ours)).median.text + unit,
            peers: Ratios(values.map(\.peers)).median.text + unit,
            measured: Ratios(values.map { $0.ours / $0.peers }), target: target)
    }

    /// Creates a row with the SSIM of both sides. The row's result is the SSIM of our side.
    init(similarity what: String, _ values: (ours: Double, peers: Double), target: Target = .none) {
        self.init(
            what: what, ours: values.ours.text(digits: 4), peers: values.peers.text(digits: 4),
            measured: Ratios([values.ours]), target: target, digits: 4)
    }
}
