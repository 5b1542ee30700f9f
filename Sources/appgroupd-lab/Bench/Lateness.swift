import Primitives

/// The lateness of a number of events, in milliseconds. A negative number means that an event was early.
struct Lateness: Sendable {
    private let sorted: [Double]

    init(_ durations: [Duration]) { sorted = durations.map(\.milliseconds).sorted() }

    var count: Int { sorted.count }
    var worst: Double { sorted.last ?? 0 }

    /// Returns the smallest number that is at least as large as this share of all numbers (nearest rank).
    func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    /// The quantiles in one line, such as `p50 0.1  p90 …`.
    var summary: String {
        [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)].map { name, share in
            "\(name) \(Self.text(quantile(share)))"
        }.joined(separator: "  ") + "  max \(Self.text(worst)) ms"
    }

    /// Returns a line for each range that has any events, with their number and a bar. The bounds of the ranges are in
    /// milliseconds.
    func histogram(bounds: [Double]) -> [String] {
        var lines: [String] = []
        let edges = [-Double.infinity] + bounds + [Double.infinity]
        for (low, high) in zip(edges, edges.dropFirst()) {
            let count = sorted.count { $0 > low && $0 <= high }
            guard count > 0 else { continue }
            let range =
                high == .infinity ? "over \(Self.text(low)) ms" : "up to \(Self.text(high)) ms"
            let bar = String(repeating: "#", count: max(1, count * 50 / sorted.count))
            lines.append(Self.pad(range, to: 16) + Self.pad("\(count)", to: 8) + bar)
        }
        return lines
    }

    static func text(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths))" : "\(tenths)"
    }

    private static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
