import Base

extension ValueCodec where Value: FixedWidthInteger {
    static func number(_ range: ClosedRange<Int>) -> ValueCodec {
        text(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            { text in WholeNumberText.parse(text).flatMap { range.contains($0) ? Value(exactly: $0) : nil } },
            shown: { .number(JSONNumber(Int(clamping: $0))) })
    }

    static func byteCount(_ range: ClosedRange<Int>) -> ValueCodec {
        text(
            "a number of bytes from \(ByteCountText.text(range.lowerBound)) to \(ByteCountText.text(range.upperBound))",
            as: "50MB, 40MiB or 1000",
            { text in ByteCountText.parse(text).flatMap { range.contains($0) ? Value(exactly: $0) : nil } },
            shown: { .string(ByteCountText.text(Int(clamping: $0))) })
    }
}

extension ValueCodec where Value == Duration {
    /// Returns the codec of a duration, which is rounded to the microsecond.
    static func duration(_ range: ClosedRange<Duration>) -> ValueCodec {
        text(
            "a duration from \(text(range.lowerBound)) to \(text(range.upperBound))", as: examples(in: range),
            { text in
                guard let written = DurationText.parse(text) else { return nil }
                let duration = Duration.microseconds(Int64((written.milliseconds * 1_000).rounded()))
                return range.contains(duration) ? duration : nil
            },
            shown: { .string(text($0)) })
    }

    private static func examples(in range: ClosedRange<Duration>) -> String {
        let all: [Duration] = [.milliseconds(500), .seconds(5), .seconds(120), .seconds(3_600), .days(7)]
        let some = all.filter(range.contains).map(text)
        return some.count < 2
            ? text(range.upperBound) : some.dropLast().joined(separator: ", ") + " or " + (some.last ?? "")
    }

    /// Returns a duration as an operator could write it, in the largest unit without a fraction.
    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard let whole = Int(exactly: milliseconds) else { return "\(milliseconds)ms" }
        guard whole > 0 else { return "0s" }
        let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
        let unit = units.first { whole.isMultiple(of: $0.1) } ?? ("ms", 1)
        return "\(whole / unit.1)\(unit.0)"
    }
}
