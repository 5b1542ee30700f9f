/// Of the rounds of one comparison.
package struct Ratios: Sendable {
    private let sorted: [Double]

    /// - Parameter values: at least one.
    package init(_ values: [Double]) { sorted = values.sorted() }

    package var median: Double {
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    package var least: Double { sorted.first ?? .nan }
    package var most: Double { sorted.last ?? .nan }

    /// `1.04 (0.98–1.11)`
    package var words: String { "\(median.text) (\(least.text)–\(most.text))" }
}

extension Double {
    /// Two digits behind the point; none from 100 on.
    package var text: String {
        guard isFinite else { return "–" }
        guard abs(self) < 100 else { return "\(Int(rounded()))" }
        let hundredths = Int((abs(self) * 100).rounded())
        let digits = hundredths % 100
        return (self < 0 ? "-" : "") + "\(hundredths / 100)." + (digits < 10 ? "0" : "") + "\(digits)"
    }
}
