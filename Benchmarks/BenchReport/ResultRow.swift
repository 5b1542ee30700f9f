/// One line of the table.
package struct ResultRow: Sendable {
    package enum Target: Sendable {
        case most(Double, String = "")
        case least(Double)
        /// In every round.
        case exactly(Double)
        /// Told, without a promise.
        case none

        func isMet(by measured: Ratios) -> Bool? {
            switch self {
            case .most(let bound, _): measured.median <= bound
            case .least(let bound): measured.median >= bound
            case .exactly(let value): measured.least == value && measured.most == value
            case .none: nil
            }
        }

        var words: String {
            switch self {
            case .most(let bound, let unit): "≤ \(bound.text)\(unit)"
            case .least(let bound): "≥ \(bound.text)"
            case .exactly(let value): "\(value.text)"
            case .none: "–"
            }
        }
    }

    package var what: String
    /// Medians of the rounds, with their unit.
    package var ours: String
    package var peers: String
    /// Of the rounds' ratios or values.
    package var measured: Ratios
    package var target: Target

    package init(what: String, ours: String, peers: String, measured: Ratios, target: Target) {
        self.what = what
        self.ours = ours
        self.peers = peers
        self.measured = measured
        self.target = target
    }

    package var cells: [String] {
        let verdict = target.isMet(by: measured).map { $0 ? "yes" : "**no**" } ?? "–"
        return [what, ours, peers, measured.words, target.words, verdict]
    }
}
