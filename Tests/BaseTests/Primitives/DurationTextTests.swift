import Base
import Testing

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("500ms", .milliseconds(500)), ("5s", .seconds(5)), ("1.5s", .milliseconds(1_500)), ("0s", .zero),
            ("0.0ms", .zero),
            ("2m", .seconds(120)), ("0.5m", .seconds(30)), ("1h", .seconds(3_600)), ("14d", .seconds(1_209_600)),
            ("007s", .seconds(7)), ("3650d", .seconds(315_360_000)), ("0.25s", .milliseconds(250)),
            ("100ms", .milliseconds(100)), ("0.1s", .milliseconds(100)), ("50ms", .milliseconds(50)),
            ("3ms", .milliseconds(3)),
        ] as [(String, Duration)])
    func `a duration is written as a number and a unit`(text: String, duration: Duration) throws {
        let read = try #require(DurationText.parse(text))
        // The conversion through a `Double` is exact to the nanosecond.
        #expect(abs((read - duration) / .nanoseconds(1)) < 1)
    }

    @Test(arguments: [
        "", "5", "s", "ms", ".s", "5 s", " 5s", "5s ", "5S", "5sec", "5min", "5us", "-5s", "+5s", "1e3s", "0x5s",
        "1.2.3s",
        "5,5s", "5s5s", "infs", "nans", "\u{665}s", "\u{FF15}s", "5\u{0}s", "1_000s", "3651d", "99999999999999999999d",
        String(repeating: "9", count: 400) + "s", "1h30m", "null",
    ])
    func `a text without a valid number and unit is refused`(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
