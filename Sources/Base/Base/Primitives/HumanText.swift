/// The text of quantities for people.
package enum HumanText {
    /// Returns a size in decimal units with three digits: `512 bytes`, `48.2 kB`, `2.9 MB`.
    package static func bytes(_ count: Int) -> String {
        guard count >= 1_000 else { return counted(count, "byte") }
        let units = ["kB", "MB", "GB", "TB"]
        var value = Double(count) / 1_000
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1_000
            unit += 1
        }
        return "\(shortened(value)) \(units[unit])"
    }

    /// Returns a duration: `0.4 ms`, `412 ms`, `2.9 s`, `3 min 5 s`.
    package static func duration(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds < 999.5 { return "\(shortened(milliseconds)) ms" }
        let seconds = milliseconds / 1_000
        if seconds < 99.95 { return "\(shortened(seconds)) s" }
        let whole = Int(seconds.rounded())
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }

    /// Returns a count and its noun: `1 file`, `3 files`.
    package static func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }

    /// Returns two or three digits, without `.0`: `2.9`, `48.2`, `412`.
    private static func shortened(_ value: Double) -> String {
        if value >= 99.95 { return String(Int(value.rounded())) }
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Int {
    /// The number with commas between thousands, such as 4,096.
    package var grouped: String {
        let digits = Array(String(self))
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digits[index])
        }
    }
}

/// A color of a terminal, by the number that selects it (ECMA-48, SGR).
package enum TerminalColor: Int, Sendable, CaseIterable {
    case red = 31
    case green = 32
    case yellow = 33
    case cyan = 36

    /// Returns a text in this color, bold.
    package func bold(_ text: String) -> String { "\u{1B}[1;\(rawValue)m\(text)\u{1B}[0m" }

    /// The control sequences that `bold` writes. Logs have others.
    package static let sequences = ["\u{1B}[0m"] + allCases.map { "\u{1B}[1;\($0.rawValue)m" }
}
