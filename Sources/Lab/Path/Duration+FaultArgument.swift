import Primitives

extension Duration {
    /// The longest duration of a fault. A longer duration is probably a mistake, and `/stall` never ends.
    package static let longestFault = Duration.seconds(3600)

    /// Parses a text such as `500ms`, `2s` or `1.5s`. Other forms, and more than ``longestFault``, result in `nil`.
    package init?(faultArgument text: some StringProtocol) {
        let number: Substring
        let unit: Int64
        if text.hasSuffix("ms") {
            (number, unit) = (Substring(text.dropLast(2)), 1_000_000)
        } else if text.hasSuffix("s") {
            (number, unit) = (Substring(text.dropLast(1)), 1_000_000_000)
        } else {
            return nil
        }
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // At most seven digits before the point and nine after it keep each product below far from an overflow.
        guard let whole = Int(decimalDigits: parts[0], atMost: 7) else { return nil }
        var nanoseconds = Int64(whole) * unit
        if parts.count == 2 {
            guard let fraction = Int(decimalDigits: parts[1], atMost: 9) else { return nil }
            var scale: Int64 = 1
            for _ in parts[1].utf8 { scale *= 10 }
            nanoseconds += Int64(fraction) * unit / scale
        }
        self = .nanoseconds(nanoseconds)
        guard self <= Self.longestFault else { return nil }
    }
}
