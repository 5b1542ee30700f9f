import Base
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncEventTests {
    private let event = AsyncEvent()
    private let calls = Record<String>()

    @Test func `an event calls each action once, and does not call a removed action`() {
        _ = event.whenSignalled { calls.append("first") }
        let second = event.whenSignalled { calls.append("second") }
        event.forget(second)
        #expect(calls.elements.isEmpty)
        event.signal()
        event.signal()
        #expect(calls.elements == ["first"])
    }

    @Test func `a signalled event calls a new action at once`() {
        event.signal()
        _ = event.whenSignalled { calls.append("late") }
        #expect(calls.elements == ["late"])
    }

    @Test func `a task waits until the event is signalled or the task is cancelled`() async {
        let cancelled = Task { await event.wait() }
        cancelled.cancel()
        await cancelled.value
        let waiting = Task { await event.wait() }
        event.signal()
        await waiting.value
        #expect(event.isSignalled)
    }
}
