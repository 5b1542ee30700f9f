import NotificationModel
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) final class TaskBatchesTests: Sendable {
    private let passed = Atomic(0)

    @Test func `tasks that arrive within a batch are resumed at its end, and the next one begins another`() async {
        let clock = ManualClock()
        let executor = TurnedExecutor()
        let batches = TaskBatches(clock: clock, length: .milliseconds(50))
        let first = wait(for: batches, on: executor)
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(49))
        let second = wait(for: batches, on: executor)
        #expect(passed.load(ordering: .relaxed) == 0)

        executor.letGo()
        clock.advance(by: .milliseconds(1))
        await first.value
        await second.value
        #expect(passed.load(ordering: .relaxed) == 2)

        let third = wait(for: batches, on: executor)
        await clock.waitForSleepers()
        #expect(passed.load(ordering: .relaxed) == 2)
        clock.advance(by: .milliseconds(50))
        await third.value
        #expect(passed.load(ordering: .relaxed) == 3)
    }

    private func wait(for batches: TaskBatches, on executor: TurnedExecutor) -> Task<Void, Never> {
        let task = Task(executorPreference: executor) {
            await batches.waitForEnd()
            _ = self.passed.add(1, ordering: .relaxed)
        }
        executor.turn()
        return task
    }
}
