import Base
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct AsyncSemaphoreTests {
    private let semaphore = AsyncSemaphore(permits: 1)
    private let decisions = Record<String>()

    private func enqueue(_ name: String) throws -> AsyncSemaphore.WaiterToken {
        let token = try #require(semaphore.enqueue())
        semaphore.whenDecided(token) { decisions.append("\(name) \($0)") }
        return token
    }

    @Test func `a released permit goes to the oldest waiter`() throws {
        #expect(semaphore.enqueue() == nil)
        _ = try enqueue("first")
        _ = try enqueue("second")
        #expect(decisions.elements.isEmpty)
        semaphore.release()
        #expect(decisions.elements == ["first true"])
        semaphore.release()
        #expect(decisions.elements == ["first true", "second true"])
        semaphore.release()
        #expect(semaphore.enqueue() == nil)
    }

    @Test func `an abandoned token gets no permit, and its waiter is called once`() throws {
        #expect(semaphore.enqueue() == nil)
        let first = try enqueue("first")
        _ = try enqueue("second")
        semaphore.abandon(first)
        semaphore.abandon(first)
        semaphore.release()
        #expect(decisions.elements == ["first false", "second true"])
    }

    @Test func `a waiter is called at once if its token was decided before`() throws {
        #expect(semaphore.enqueue() == nil)
        let tokens = try (0..<2).map { _ in try #require(semaphore.enqueue()) }
        semaphore.abandon(tokens[0])
        semaphore.release()
        for token in tokens { semaphore.whenDecided(token) { decisions.append("\(token) \($0)") } }
        #expect(decisions.elements == ["\(tokens[0]) false", "\(tokens[1]) true"])
    }

    @Test func `a cancelled task abandons its token`() async throws {
        #expect(semaphore.enqueue() == nil)
        let token = try #require(semaphore.enqueue())
        let waiting = Task { await semaphore.wait(token) }
        waiting.cancel()
        #expect(await waiting.value == false)
        semaphore.release()
        #expect(semaphore.enqueue() == nil)
    }
}
