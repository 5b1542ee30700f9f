import Base
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

@Suite struct IdleMonitorTests {
    /// The load, which a test sets, and the number of times that the idle time was used.
    private final class Coordinator: Sendable {
        let load = Guarded(RequestLoad(running: 0, queued: 0, accepted: 0, emitted: [:]))
        let processorTime = Guarded(Duration.zero)
        let freeBytes = Guarded(0)
        let uses = Guarded(0)

        func set(running: Int = 0, queued: Int = 0, accepted: Int) {
            load.withLock { $0 = RequestLoad(running: running, queued: queued, accepted: accepted, emitted: [:]) }
        }
    }

    /// Runs a monitor, and applies one step before each check.
    ///
    /// - Returns: The number of uses after each step.
    private func uses(after steps: [@Sendable (Coordinator) -> Void]) async -> [Int] {
        let clock = ManualClock()
        let coordinator = Coordinator()
        let quiet = IdleMonitor(
            of: { coordinator.load.withLock { $0 } }, processorTime: { coordinator.processorTime.withLock { $0 } },
            freeBytes: { coordinator.freeBytes.withLock { $0 } }, clock: clock,
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
        #expect(coordinator.uses.withLock { $0 } == uses.last, "the end of the monitor counts as no use")
        return uses
    }

    @Test func `the monitor uses the idle time after the start once`() async {
        #expect(await uses(after: [{ _ in }, { _ in }]) == [1, 1])
    }

    @Test func `the monitor uses idle time after much memory was freed`() async {
        let uses = await uses(after: [
            { _ in }, { $0.freeBytes.withLock { $0 += IdleMonitor.freed - 1 } }, { $0.freeBytes.withLock { $0 += 1 } },
            { _ in }, { $0.freeBytes.withLock { $0 = 0 } }, { $0.freeBytes.withLock { $0 = IdleMonitor.freed } },
        ])
        #expect(uses == [1, 1, 2, 2, 2, 3])
    }

    @Test func `the monitor does not use idle time while a request runs or waits for a permit`() async {
        let uses = await uses(after: [
            { $0.set(running: 1, accepted: 1) }, { $0.set(queued: 1, accepted: 2) }, { $0.set(accepted: 2) },
        ])
        #expect(uses == [0, 0, 1])
    }

    @Test func `the monitor uses idle time once after each period with running requests`() async {
        let uses = await uses(after: [
            { $0.set(accepted: 7) }, { _ in }, { $0.set(running: 3, accepted: 10) }, { $0.set(accepted: 10) }, { _ in },
        ])
        #expect(uses == [1, 1, 1, 2, 2])
    }

    @Test func `the monitor uses idle time once after each period in which the processor worked`() async {
        let busy: @Sendable (Coordinator) -> Void = { $0.processorTime.withLock { $0 += IdleMonitor.work } }
        let idle: @Sendable (Coordinator) -> Void = { $0.processorTime.withLock { $0 += IdleMonitor.work / 4 } }
        #expect(await uses(after: [{ _ in }, idle, busy, { _ in }, idle]) == [1, 1, 2, 2, 2])
    }
}
