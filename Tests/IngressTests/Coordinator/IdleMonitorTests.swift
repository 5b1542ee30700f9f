import Ingress
import NotificationModel
import TestSupport
import Testing

@Suite struct IdleMonitorTests {
    /// The load, which the test sets, and how often the quiet was used.
    private final class Desk: Sendable {
        let load = Guarded(RequestLoad(running: 0, queued: 0, accepted: 0, emitted: [:]))
        let processorTime = Guarded(Duration.zero)
        let uses = Guarded(0)

        func set(running: Int = 0, queued: Int = 0, accepted: Int) {
            load.withLock { $0 = RequestLoad(running: running, queued: queued, accepted: accepted, emitted: [:]) }
        }
    }

    /// - Returns: how often the quiet was used after each of the steps.
    private func uses(after steps: [@Sendable (Desk) -> Void]) async -> [Int] {
        let clock = ManualClock()
        let coordinator = Desk()
        let quiet = IdleMonitor(
            of: { coordinator.load.withLock { $0 } }, processorTime: { coordinator.processorTime.withLock { $0 } },
            clock: clock,
            use: { coordinator.uses.withLock { $0 += 1 } })
        let running = Task { await quiet.run() }
        await clock.waitForSleepers()
        var uses: [Int] = []
        for step in steps {
            step(coordinator)
            clock.advance(by: IdleMonitor.interval)
            await clock.waitForSleepers()
            uses.append(coordinator.uses.withLock { $0 })
        }
        running.cancel()
        await running.value
        #expect(coordinator.uses.withLock { $0 } == uses.last, "not because it ends")
        return uses
    }

    @Test func `what starting has left is given back once`() async {
        #expect(await uses(after: [{ _ in }, { _ in }]) == [1, 1])
    }

    @Test func `not while a request runs or waits for its turn`() async {
        let uses = await uses(after: [
            { $0.set(running: 1, accepted: 1) }, { $0.set(queued: 1, accepted: 2) }, { $0.set(accepted: 2) },
        ])
        #expect(uses == [0, 0, 1])
    }

    @Test func `once after each time with requests`() async {
        let uses = await uses(after: [
            { $0.set(accepted: 7) }, { _ in }, { $0.set(running: 3, accepted: 10) }, { $0.set(accepted: 10) }, { _ in },
        ])
        #expect(uses == [1, 1, 1, 2, 2])
    }

    @Test func `once after each time in which the processor was busy, whatever came of it`() async {
        let busy: @Sendable (Desk) -> Void = { $0.processorTime.withLock { $0 += IdleMonitor.work } }
        let idle: @Sendable (Desk) -> Void = { $0.processorTime.withLock { $0 += IdleMonitor.work / 4 } }
        #expect(await uses(after: [{ _ in }, idle, busy, { _ in }, idle]) == [1, 1, 2, 2, 2])
    }
}
