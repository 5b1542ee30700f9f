import Glibc
import LinuxIO
import NotificationModel
import Testing

/// Each limits a process of its own.
struct ProcessorTimeLimitTests {
    /// What the process has really run, to the nanosecond.
    private static var runtime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static var charged: Double { ProcessorTimeLimit.charged(to: getpid()).seconds }

    /// Runs in bursts of less than a tick, at a place between two ticks that it looks for: none of them is charged.
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

    /// The limit is in whole seconds: what was charged, and the time, rounded up. By the time that was really run it would
    /// be a second more here, or less when the drift goes the other way, which ends a worker at a good picture.
    @Test(.timeLimit(.minutes(3)))
    func `a limit counts from the time that was charged, however far that is from the time that was run`() async {
        await #expect(processExitsWith: .success) {
            Self.drift(to: 0.1)
            // Until the two clocks are on both sides of a second.
            while Self.runtime.rounded(.down) == Self.charged.rounded(.down) {}
            let charged = Self.charged
            ProcessorTimeLimit.allow(.seconds(1), to: getpid())
            let limit = Double(try #require(SoftAndHardLimit.of(.processorTime)?.soft))
            #expect(limit >= charged + 1 && limit <= charged + 2.02, "\(limit) of \(charged), run \(Self.runtime)")
        }
    }

    @Test func `a process that uses more than it is allowed is ended by SIGXCPU`() async {
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
