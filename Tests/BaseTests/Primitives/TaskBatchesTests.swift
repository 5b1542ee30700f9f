import Base
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) final class TaskBatchesTests: Sendable {
    private let passed = Atomic(0)
    private let clock = ManualClock()
    private let executor = TurnedExecutor()
    private var passedCount: Int { passed.load(ordering: .relaxed) }

    @Test func `tasks of a batch are resumed at its end, and the next task begins another batch`() async {
        let batches = TaskBatches(clock: clock, length: .milliseconds(50))
        for _ in 0..<2 { await batches.waitForEnd() }
        clock.advance(by: .milliseconds(50))
        wait(for: batches)
        clock.advance(by: .milliseconds(49))
        wait(for: batches)
        #expect(passedCount == 0)
        clock.advance(by: .milliseconds(1))
        executor.turn()
        #expect(passedCount == 2)

        wait(for: batches)
        #expect(passedCount == 2)
        clock.advance(by: .milliseconds(50))
        executor.turn()
        #expect(passedCount == 3)
    }

    @Test func `a caller with sequential requests waits in at most every second batch`() async {
        let batches = TaskBatches(clock: clock, length: .milliseconds(50))
        for round in 1...3 {
            for _ in 0..<20 { await batches.waitForEnd() }
            clock.advance(by: .milliseconds(50))
            wait(for: batches)
            clock.advance(by: .milliseconds(50))
            executor.turn()
            #expect(passedCount == round)
        }
    }

    /// Starts a task, and returns when the task waits for the end of a batch or has continued.
    private func wait(for batches: TaskBatches) {
        Task(executorPreference: executor) {
            await batches.waitForEnd()
            _ = self.passed.add(1, ordering: .relaxed)
        }
        executor.turn()
    }
}
