import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTimerTests {
    /// Schedules timers on the loop, and returns the records of the timers when one of them calls `end`.
    private func record(
        _ schedule: @escaping @Sendable (EventLoop, Record<String>, _ end: @escaping @Sendable () -> Void) -> Void
    ) async throws -> [String] {
        try await withEventLoop { loop in
            let seen = Record<String>()
            await withCheckedContinuation { continuation in
                loop.execute { schedule(loop, seen) { continuation.resume() } }
            }
            return seen.elements
        }
    }

    @Test func `timers run in the order of their instants, and timers of the same instant in order of creation`()
        async throws
    {
        let seen = try await record { loop, seen, end in
            let start = MonotonicInstant.now
            for milliseconds in [3, 1, -5, 2, 1, 0] {
                _ = loop.schedule(at: start + .milliseconds(milliseconds)) { seen.append("\(milliseconds)") }
            }
            _ = loop.schedule(at: start + .milliseconds(1)) { seen.append("1, last") }
            _ = loop.schedule(at: start + .milliseconds(4)) { end() }
        }
        #expect(seen == ["-5", "0", "1", "1", "1, last", "2", "3"])
    }

    @Test func `a timer does not run before its instant`() async throws {
        let seen = try await record { loop, seen, end in
            let start = MonotonicInstant.now
            for index in 1...20 {
                let instant = start + .microseconds(index * 333)
                _ = loop.schedule(at: instant) { seen.append(MonotonicInstant.now >= instant ? "late" : "early") }
            }
            _ = loop.schedule(at: start + .milliseconds(7)) { end() }
        }
        #expect(seen == Array(repeating: "late", count: 20))
    }

    @Test func `a cancelled timer does not run, and may be cancelled again`() async throws {
        let seen = try await record { loop, seen, end in
            let timer = loop.schedule(at: .now) { seen.append("cancelled") }
            _ = loop.schedule(at: .now) { seen.append("kept") }
            _ = loop.schedule(at: .now + .milliseconds(1)) {
                loop.cancel(timer)
                end()
            }
            loop.cancel(timer)
        }
        #expect(seen == ["kept"])
    }

    @Test func `a timer that is due can be cancelled by the preceding timer`() async throws {
        let seen = try await record { loop, seen, end in
            let past = MonotonicInstant.now - .seconds(1)
            let second = Record<EventLoop.TimerID>()
            _ = loop.schedule(at: past) {
                seen.append("first")
                second.elements.forEach(loop.cancel)
            }
            second.append(loop.schedule(at: past) { seen.append("second") })
            _ = loop.schedule(at: past) { end() }
        }
        #expect(seen == ["first"])
    }

    @Test func `a timer may create another timer, and may be cancelled after it has run`() async throws {
        let seen = try await record { loop, seen, end in
            let first = Record<EventLoop.TimerID>()
            first.append(
                loop.schedule(at: .now) {
                    seen.append("first")
                    first.elements.forEach(loop.cancel)
                    _ = loop.schedule(at: .now) {
                        seen.append("second")
                        end()
                    }
                })
        }
        #expect(seen == ["first", "second"])
    }

    @Test func `ten of a thousand timers run in order after the others are cancelled`() async throws {
        let seen = try await record { loop, seen, end in
            let start = MonotonicInstant.now
            let timers = (0..<1_000).map { index in
                loop.schedule(at: start + .microseconds((index * 7 % 1_000) * 2)) {
                    seen.append("\(index * 7 % 1_000)")
                }
            }
            for (index, timer) in timers.enumerated() where index * 7 % 1_000 % 100 != 0 { loop.cancel(timer) }
            _ = loop.schedule(at: start + .milliseconds(3)) { end() }
        }
        #expect(seen == (0..<10).map { "\($0 * 100)" })
    }

    @Test func `a timer in a thousand years does not delay the loop`() async throws {
        let seen = try await record { loop, seen, end in
            _ = loop.schedule(at: .now + .seconds(1_000 * 365 * 86_400)) { seen.append("for ever") }
            // The next iteration of the loop waits only for the timer in a thousand years.
            loop.execute { loop.execute(end) }
        }
        #expect(seen.isEmpty)
    }
}
