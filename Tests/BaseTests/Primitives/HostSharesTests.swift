import Base
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HostSharesTests {
    private let turns = HostShares(perHost: 2)

    /// A counter of the items that are in progress.
    private final class Work: Sendable {
        private let state = Guarded((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func item() async {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
            await Task.yield()
            state.withLock { $0.now -= 1 }
        }
    }

    @Test func `a host has at most its limit of items at a time`() async {
        let work = Work()
        await withDiscardingTaskGroup { group in
            for _ in 0..<20 { group.addTask { [turns] in await turns.inTurn(at: "a.example") { await work.item() } } }
        }
        #expect(work.most == 2)
    }

    @Test func `a host without items is removed`() async {
        for number in 0..<100 { await turns.inTurn(at: "\(number).example") { #expect(turns.hostCount == 1) } }
        #expect(turns.hostCount == 0)
    }

    @Test func `an item without a host does not wait`() async {
        await turns.inTurn(at: "") { #expect(turns.hostCount == 0) }
    }
}
