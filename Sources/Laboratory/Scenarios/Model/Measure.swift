import Base

/// An expected number: exactly, at least, at most, or from one number to another.
package struct Measure: Sendable, Equatable {
    package var least: Double
    package var most: Double
    /// The measure as it was written.
    package var text: String

    /// Parses `3`, `>= 2`, `<= 300kB` or `1s..2s`.
    ///
    /// - Parameter unit: A function that parses one number with its unit.
    package init?(_ text: String, unit: (String) -> Double?) {
        func number(_ part: some StringProtocol) -> Double? { unit(String(Substring(part).trimmingBlanks)) }
        if let dots = text.firstRange(of: "..") {
            guard let least = number(text[..<dots.lowerBound]), let most = number(text[dots.upperBound...]),
                least <= most
            else { return nil }
            (self.least, self.most) = (least, most)
        } else if text.hasPrefix("<=") {
            guard let most = number(text.dropFirst(2)) else { return nil }
            (least, self.most) = (-.infinity, most)
        } else if text.hasPrefix(">=") {
            guard let least = number(text.dropFirst(2)) else { return nil }
            (self.least, most) = (least, .infinity)
        } else {
            guard let exact = number(text) else { return nil }
            (least, most) = (exact, exact)
        }
        self.text = text
    }

    /// Returns whether a value is within the measure.
    package func contains(_ value: Double, tolerance: Double = 0) -> Bool {
        least - tolerance <= value && value <= most + tolerance
    }
}

/// Sizes and rates as a scenario writes them.
package enum MeasureText {
    /// Returns the number of bytes of `300`, `300B`, `300kB` or `1.5MB`, with units of 1,000.
    package static func bytes(_ text: String) -> Double? {
        scaled(text, ["B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "": 1])
    }

    /// Returns the bytes per second of `1.6Mbit/s`, `200kbit/s` or `125kB/s`.
    package static func rate(_ text: String) -> Double? {
        scaled(
            text,
            ["bit/s": 0.125, "kbit/s": 125, "Mbit/s": 125_000, "Gbit/s": 125e6, "B/s": 1, "kB/s": 1e3, "MB/s": 1e6])
    }

    package static func count(_ text: String) -> Double? { Int(text).map(Double.init) }

    package static func seconds(_ text: String) -> Double? { DurationText.parse(text)?.seconds }

    private static func scaled(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let unit = units[String(text.dropFirst(digits.count).trimmingBlanks)] else {
            return nil
        }
        return number * unit
    }
}
