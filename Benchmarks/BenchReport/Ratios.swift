/// The ratios of the rounds of one comparison.
package struct Ratios: Sendable {
    private let sorted: [Double]

    package init(_ values: [Double]) { sorted = values.sorted() }

    package var median: Double {
        guard !sorted.isEmpty else { return .nan }
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    package var least: Double { sorted.first ?? .nan }
    package var most: Double { sorted.last ?? .nan }

    /// Returns the median and the range, `1.04 (0.98–1.11)`, or only the value if there is just one.
    package func words(digits: Int = 2) -> String {
        guard sorted.count > 1 else { return median.text(digits: digits) }
        return "\(median.text(digits: digits)) (\(least.text(digits: digits))–\(most.text(digits: digits)))"
    }
}

extension Double {
    /// The number with two digits after the decimal point; a number of 100 or more has no such digits.
    package var text: String { text(digits: 2) }

    /// Returns the number with `digits` digits after the decimal point; a number of 100 or more has no such digits.
    package func text(digits: Int) -> String {
        guard isFinite else { return "–" }
        guard abs(self) < 100 else { return "\(Int(rounded()))" }
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let parts = Int((abs(self) * Double(unit)).rounded())
        let fraction = String(parts % unit)
        let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
        return (self < 0 ? "-" : "") + "\(parts / unit)." + zeros + fraction
    }
}
