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
