import JSON
import NotificationModel

extension ValueCodec where Value == Int {
    static func number(_ range: ClosedRange<Int>) -> ValueCodec {
        text(
            "a whole number from \(range.lowerBound) to \(range.upperBound)",
            { text in WholeNumberText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            shown: { .number(JSONNumber($0)) })
    }

    static func byteCount(_ range: ClosedRange<Int>) -> ValueCodec {
        text(
            "a number of bytes from \(ByteCountText.text(range.lowerBound)) to \(ByteCountText.text(range.upperBound))",
            as: "50MB, 40MiB or 1000",
            { text in ByteCountText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            shown: { .string(ByteCountText.text($0)) })
    }
}

extension ValueCodec where Value == Duration {
    /// To the microsecond.
    static func duration(_ range: ClosedRange<Duration>) -> ValueCodec {
        text(
            "a duration from \(text(range.lowerBound)) to \(text(range.upperBound))", as: "500ms, 5s, 2m, 1h or 7d",
            { text in
                guard let written = DurationText.parse(text) else { return nil }
                let duration = Duration.microseconds(Int64((written.milliseconds * 1_000).rounded()))
                return range.contains(duration) ? duration : nil
            },
            shown: { .string(text($0)) })
    }

    /// As it could be written: in the largest unit that leaves no fraction.
    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard let whole = Int(exactly: milliseconds) else { return "\(milliseconds)ms" }
        guard whole > 0 else { return "0s" }
        let units = [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
        let unit = units.first { whole.isMultiple(of: $0.1) } ?? ("ms", 1)
        return "\(whole / unit.1)\(unit.0)"
    }
}
