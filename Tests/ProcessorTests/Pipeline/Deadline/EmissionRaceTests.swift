import Testing

@testable import NotificationProcessor

@Suite(.timeLimit(.minutes(1))) struct EmissionRaceTests {
    @Test func `a waiter gets a decision that was made before it started to wait`() async {
        let assembly = EmissionRace<Int>(count: 1)
        assembly.send(.ended(0, 7))
        assembly.send(.cancelled)
        let decision = await assembly.decision()
        #expect(decision.cause == .allEnded)
        #expect(decision.endings == [7])
    }

    @Test func `events from many tasks lead to exactly one decision`() async {
        for _ in 0..<200 {
            let assembly = EmissionRace<Int>(count: 4)
            let decision = await withTaskGroup { group in
                for index in 0..<4 { group.addTask { assembly.send(.ended(index, index)) } }
                group.addTask { assembly.send(.deadlineReached) }
                return await assembly.decision()
            }
            let isWhole = decision.endings == [0, 1, 2, 3]
            #expect(decision.cause == (isWhole ? .allEnded : .deadlineReached))
            #expect(zip(decision.endings, 0...).allSatisfy { $0 == nil || $0 == $1 })
        }
    }
}
