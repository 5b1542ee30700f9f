import Base
import Glibc
import LinuxIO
import NotificationModel
import Testing

/// Tests of the processor time limit. Each test limits a separate process.
struct ProcessorTimeLimitTests {
    /// The real run time of the process, in seconds.
    private static var runtime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var charged: Double { ProcessorTimeLimit.charged(to: getpid()).seconds }

    /// Uses the processor in bursts between two ticks of the kernel, so that the kernel charges no burst. The function
    /// tries different offsets from the tick until no burst is charged.
    private static func drift(to seconds: Double) {
        let tick = 4_000_000
        var place = 0
        while runtime - charged < seconds {
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let next = (now.tv_sec * 1_000_000_000 + now.tv_nsec) / tick * tick + tick + place
            var wake = timespec(tv_sec: next / 1_000_000_000, tv_nsec: next % 1_000_000_000)
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, nil)
            let (before, begin) = (charged, runtime)
            while runtime < begin + 0.0008 {}
            if charged > before { place = (place + 700_000) % tick }
        }
    }

    /// The limit is in whole seconds: the charged time plus the allowed time, rounded up.
    ///
    /// A limit by the real run time would be a second too high here. With the opposite drift the limit would be too
    /// low, and would end a worker that decodes a valid image.
    @Test(.timeLimit(.minutes(3)))
    func `a limit starts from the charged processor time, even if the real run time differs`() async {
        await #expect(processExitsWith: .success) {
            Self.drift(to: 0.1)
            // The loop runs until the two clocks are on different sides of a whole second.
            while Self.runtime.rounded(.down) == Self.charged.rounded(.down) {}
            let charged = Self.charged
            ProcessorTimeLimit.allow(.seconds(1), to: getpid())
            let limit = Double(try #require(SoftAndHardLimit.of(.processorTime)?.soft))
            #expect(limit >= charged + 1 && limit <= charged + 2.02, "\(limit) of \(charged), run \(Self.runtime)")
        }
    }

    @Test func `a process that exceeds its processor time is ended by SIGXCPU`() async {
        await #expect(processExitsWith: .signal(SIGXCPU)) {
            signal(SIGXCPU, SIG_DFL)
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            ProcessorTimeLimit.allow(.milliseconds(100), to: getpid())
            while true {}
        }
    }
}
