import BenchReport
import Testing

@Suite struct ResultRowTests {
    private func row(_ values: [Double], _ target: ResultRow.Target, digits: Int = 2) -> [String] {
        ResultRow(what: "it", ours: "1", peers: "2", measured: Ratios(values), target: target, digits: digits).cells
            .suffix(3)
    }

    @Test func `a row meets its target if the median of the rounds meets the target`() {
        #expect(row([0.9, 0.5, 0.7], .most(0.7)) == ["0.70 (0.50–0.90)", "≤ 0.70", "yes"])
        #expect(row([0.9, 0.5, 0.8], .most(0.7)) == ["0.80 (0.50–0.90)", "≤ 0.70", "**no**"])
    }

    @Test func `a row with one measurement shows a single value with the requested digits`() {
        #expect(row([0.9904], .least(0.993), digits: 4) == ["0.9904", "≥ 0.9930", "**no**"])
    }

    @Test func `a row without a measurement misses its target`() {
        #expect(row([], .most(0.6)) == ["–", "≤ 0.60", "**no**"])
        #expect(row([], .none) == ["–", "–", "–"])
    }

    @Test(arguments: [(1.005, 2, "1.00"), (-0.5, 1, "-0.5"), (99.999, 2, "100.00"), (100.4, 4, "100"), (.nan, 2, "–")])
    func `a number is written with the requested number of digits`(number: Double, digits: Int, text: String) {
        #expect(number.text(digits: digits) == text)
    }
}
