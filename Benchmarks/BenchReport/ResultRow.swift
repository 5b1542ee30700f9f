/// A row of the result table.
package struct ResultRow: Sendable {
    package enum Target: Sendable {
        case most(Double, String = "")
        case least(Double)
        /// All rounds must have this value.
        case exactly(Double)
        /// The value is reported without a target.
        case none

        func isMet(by measured: Ratios) -> Bool? {
            switch self {
            case .most(let bound, _): measured.median <= bound
            case .least(let bound): measured.median >= bound
            case .exactly(let value): measured.least == value && measured.most == value
            case .none: nil
            }
        }

        func words(digits: Int) -> String {
            switch self {
            case .most(let bound, let unit): "≤ \(bound.text(digits: digits))\(unit)"
            case .least(let bound): "≥ \(bound.text(digits: digits))"
            case .exactly(let value): value.text(digits: digits)
            case .none: "–"
            }
        }
    }

    package var what: String
    /// The result of our side as text. In most rows, it is the median of the rounds with its unit.
    package var ours: String
    package var peers: String
    /// The ratios or values of the rounds. If our side refuses the work, there are no ratios, and the row misses every
    /// target.
    package var measured: Ratios
    package var target: Target
    /// The number of digits after the decimal point, for the measured value and its target.
    package var digits: Int

    package init(what: String, ours: String, peers: String, measured: Ratios, target: Target, digits: Int = 2) {
        self.what = what
        self.ours = ours
        self.peers = peers
        self.measured = measured
        self.target = target
        self.digits = digits
    }

    package var cells: [String] {
        let verdict = target.isMet(by: measured).map { $0 ? "yes" : "**no**" } ?? "–"
        return [what, ours, peers, measured.words(digits: digits), target.words(digits: digits), verdict]
    }
}
