import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EventLoopClockTests {
    private func with(_ body: (EventLoopClock) async throws -> Void) async throws {
        let clock = try EventLoopClock()
        defer { clock.shutdown() }
        try await body(clock)
    }

    @Test func `a sleep ends after its instant is reached`() async throws {
        try await with { clock in
            let instant = clock.now.advanced(by: .milliseconds(20))
            await clock.sleep(until: instant)
            #expect(clock.now >= instant)
        }
    }

    @Test func `a sleep until a past instant returns at once`() async throws {
        try await with { clock in await clock.sleep(until: clock.now.advanced(by: .seconds(-5))) }
    }

    @Test func `a cancellation ends a sleep, even before the sleep begins`() async throws {
        try await with { clock in
            let far = clock.now.advanced(by: .seconds(3_600))
            for _ in 0..<1_000 {
                let sleep = Task { await clock.sleep(until: far) }
                sleep.cancel()
                await sleep.value
            }
            #expect(clock.now < far)
        }
    }

    @Test func `many concurrent sleeps end, each at its instant`() async throws {
        try await with { clock in
            let start = clock.now
            let woken = await withTaskGroup(of: Bool.self) { group in
                for index in 0..<2_000 {
                    group.addTask {
                        let instant = start.advanced(by: .milliseconds(index % 50))
                        await clock.sleep(until: instant)
                        return clock.now >= instant
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(woken == 2_000)
        }
    }

    @Test func `an alarm calls its action after its instant is reached`() async throws {
        try await with { clock in
            let instant = clock.now.advanced(by: .milliseconds(20))
            await withCheckedContinuation { continuation in _ = clock.alarm(at: instant) { continuation.resume() } }
            #expect(clock.now >= instant)
        }
    }

    @Test func `a cancelled alarm does not call its action, and a cancellation after the action is allowed`()
        async throws
    {
        try await with { clock in
            let rung = Record<Int>()
            let start = clock.now.advanced(by: .milliseconds(20))
            let alarms = (0..<100).map { index in clock.alarm(at: start) { rung.append(index) } }
            for alarm in alarms[50...] { alarm.cancel() }
            await clock.sleep(until: start.advanced(by: .milliseconds(1)))
            for alarm in alarms { alarm.cancel() }
            #expect(rung.elements.sorted() == Array(0..<50))
        }
    }
}
