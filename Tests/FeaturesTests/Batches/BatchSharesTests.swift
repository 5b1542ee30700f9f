import Base
import TestSupport
import Testing

@testable import Features

/// Tests of the turns in which callers get memory for their lines.
@Suite(.timeLimit(.minutes(1))) struct BatchSharesTests {
    /// Starts tasks that wait for units, each of them after the one before waits.
    private static func waiting(
        _ owners: [String], units: Int = 1, in turns: BatchShares, _ granted: Record<String>
    ) async -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        for owner in owners {
            let before = turns.waitingCount
            tasks.append(
                Task {
                    if await turns.acquire(units, by: owner) { granted.append(owner) }
                })
            while turns.waitingCount == before { await Task.yield() }
        }
        return tasks
    }

    @Test func `one owner gets half of the units, and another owner gets some at once`() async {
        let turns = BatchShares(units: 8)
        for _ in 0..<4 { #expect(await turns.acquire(1, by: "a")) }
        let granted = Record<String>()
        let tasks = await Self.waiting(["a"], in: turns, granted)
        for _ in 0..<4 { #expect(await turns.acquire(1, by: "b")) }
        #expect(granted.elements.isEmpty)
        turns.release(1, by: "a")
        for task in tasks { await task.value }
        #expect(granted.elements == ["a"])
    }

    @Test func `owners get free units in turns`() async {
        let turns = BatchShares(units: 4)
        for owner in ["x", "x", "y", "y"] { #expect(await turns.acquire(1, by: owner)) }
        let granted = Record<String>()
        let tasks = await Self.waiting(["a", "a", "b"], in: turns, granted)
        for (index, owner) in ["x", "x", "y"].enumerated() {
            turns.release(1, by: owner)
            while granted.elements.count == index { await Task.yield() }
        }
        for task in tasks { await task.value }
        #expect(granted.elements == ["a", "b", "a"])
    }

    @Test func `a small line does not pass a large one that waits`() async {
        let turns = BatchShares(units: 4)
        for owner in ["x", "x", "y", "y"] { #expect(await turns.acquire(1, by: owner)) }
        let granted = Record<String>()
        var tasks = await Self.waiting(["large"], units: 2, in: turns, granted)
        tasks += await Self.waiting(["small"], in: turns, granted)
        turns.release(1, by: "x")
        #expect(granted.elements.isEmpty)
        turns.release(1, by: "x")
        while granted.elements.isEmpty { await Task.yield() }
        #expect(granted.elements == ["large"])
        turns.release(1, by: "y")
        for task in tasks { await task.value }
        #expect(granted.elements == ["large", "small"])
    }

    @Test func `a cancelled wait holds no units, and the next one gets them`() async {
        let turns = BatchShares(units: 2)
        #expect(await turns.acquire(1, by: "a"))
        let granted = Record<String>()
        let tasks = await Self.waiting(["a", "a"], in: turns, granted)
        tasks[0].cancel()
        await tasks[0].value
        #expect(granted.elements.isEmpty)
        turns.release(1, by: "a")
        await tasks[1].value
        #expect(granted.elements == ["a"])
        turns.release(1, by: "a")
        #expect(turns.ownerCount == 0)
    }

    @Test func `an owner without lines is forgotten`() async {
        let turns = BatchShares(units: 4)
        for number in 0..<1_000 {
            #expect(await turns.acquire(2, by: "owner-\(number)"))
            turns.release(2, by: "owner-\(number)")
        }
        #expect(turns.ownerCount == 0)
    }
}
