import Testing

@testable import Base

@Suite(.timeLimit(.minutes(1)))
struct SingleflightTests {
    @Test func `shared work gets the priority of a more urgent waiter`() async {
        let calls = Singleflight<String, TaskPriority>()
        let begun = AsyncEvent()
        let first = MonotonicInstant.now
        let patient = Task(priority: .utility) {
            await calls.result(for: "a", until: first) { deadline in
                begun.signal()
                // When the deadline becomes later, a second waiter has joined.
                while deadline() == first { await Task.yield() }
                return Task.currentPriority
            }
        }
        await begun.wait()
        let ending = await calls.result(for: "a", until: first + .seconds(1)) { _ in .background }
        await #expect(patient.value.value == ending.value)
        #expect(ending.value.map { $0 >= .medium } == true)
    }
}

extension Singleflight.Ending {
    fileprivate var value: Value? {
        switch self {
        case .done(let value, _): value
        case .left: nil
        }
    }
}
