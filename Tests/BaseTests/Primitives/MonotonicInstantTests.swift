import Base
import Testing

@Suite struct MonotonicInstantTests {
    private let start = MonotonicInstant.now

    @Test(
        arguments: [
            Duration.zero, .nanoseconds(1), .nanoseconds(-1), .milliseconds(1_500), .seconds(-3_600),
            .seconds(86_400 * 365 * 100),
        ])
    func `an added duration is the difference of the two instants`(duration: Duration) {
        let end = start + duration
        #expect(start.duration(to: end) == duration)
        #expect(end - start == duration)
        #expect(end - duration == start)
        #expect((start < end) == (duration > .zero))
        #expect((start == end) == (duration == .zero))
    }

    @Test func `fractions of a nanosecond are dropped`() {
        #expect(
            start.duration(to: start + Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999))
                == .nanoseconds(1))
    }

    /// A deadline may be so far away that it never passes.
    @Test(
        arguments: [
            Duration.seconds(Int64.max), .seconds(10_000_000_000), .nanoseconds(Int64.max),
            Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ])
    func `a sum beyond the range of instants is the last instant`(duration: Duration) {
        let (latest, earliest) = (start + duration, start - duration)
        #expect(earliest < start && start < latest)
        #expect(latest + duration + duration == latest + duration)
        #expect(earliest - duration - duration == earliest - duration)
        #expect(earliest.duration(to: latest) > .seconds(9_000_000_000))
        #expect(latest.duration(to: earliest) < .seconds(-9_000_000_000))
    }
}
