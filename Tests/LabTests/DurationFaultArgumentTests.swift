import Lab
import Testing

struct DurationFaultArgumentTests {
    @Test(
        arguments: [
            ("0s", .zero), ("500ms", .milliseconds(500)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1500)),
            ("0.000000001s", .nanoseconds(1)), ("0.5ms", .microseconds(500)), ("3600s", .seconds(3600)),
        ] as [(String, Duration)])
    func `a duration is read as a number and a unit`(text: String, duration: Duration) {
        #expect(Duration(faultArgument: text) == duration)
    }

    @Test(arguments: [
        "", "s", "ms", "2", "2m", "1h", "-1s", "+1s", "1e3s", " 1s", "1 s", "1..5s", "1.s", ".5s", "3601s", "٣s",
        "99999999s", "0.0000000001s", "1.2.3s", "1_0s",
    ])
    func `a text without a valid number and unit is refused`(text: String) {
        #expect(Duration(faultArgument: text) == nil)
    }
}
