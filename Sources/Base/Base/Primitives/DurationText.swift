extension Duration {
    /// The duration in milliseconds, with the fraction.
    package var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
    }

    package var seconds: Double { milliseconds / 1_000 }
}

/// The text form of a duration, such as `500ms`, `5s`, `1.5s`, `2m`, `1h` or `14d`.
package enum DurationText {
    package static func parse(_ text: String) -> Duration? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit: Double
        switch text[number.endIndex...] {
        case "ms": unit = 0.001
        case "s": unit = 1
        case "m": unit = 60
        case "h": unit = 3_600
        case "d": unit = 86_400
        default: return nil
        }
        guard let value = Double(number), value >= 0, value * unit <= 315_360_000 else { return nil }
        return .seconds(value * unit)
    }
}

extension Int {
    /// Parses a text of 1 to `maxLength` ASCII digits, at most 18. A sign, an underscore or white space is not allowed.
    package init?(decimalDigits text: some StringProtocol, atMost maxLength: Int) {
        guard (1...maxLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.init(text)
    }
}

extension Double {
    /// The number rounded to one digit after the point.
    package var roundedToTenths: Double { (self * 10).rounded() / 10 }
}

extension String {
    /// Returns the text, padded with zeros at its start up to a length.
    package func padded(to length: Int) -> String { String(repeating: "0", count: max(0, length - utf8.count)) + self }

    /// Returns the text, with at least `least` blanks at its end, up to a number of columns.
    package func leftAligned(in columns: Int, least: Int = 0) -> String {
        self + String(repeating: " ", count: max(least, columns - count))
    }
}
