import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct OneTimeEventTests {
    private let event = OneTimeEvent()
    private let calls = Record<String>()

    @Test func `an event calls each action once, and no forgotten one`() {
        _ = event.whenHappens { calls.append("first") }
        let second = event.whenHappens { calls.append("second") }
        event.forget(second)
        #expect(calls.elements.isEmpty)
        event.happen()
        event.happen()
        #expect(calls.elements == ["first"])
    }

    @Test func `an event that has happened calls an action at once`() {
        event.happen()
        _ = event.whenHappens { calls.append("late") }
        #expect(calls.elements == ["late"])
    }

    @Test func `a task waits until the event happens or the task is cancelled`() async {
        let cancelled = Task { await event.wait() }
        cancelled.cancel()
        await cancelled.value
        let waiting = Task { await event.wait() }
        event.happen()
        await waiting.value
        #expect(event.hasHappened)
    }
}
