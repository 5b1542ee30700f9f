import NIOCore
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct WaitingTextTests {
    private static func taken(_ waiting: WaitingText) -> [String] {
        var pieces: [String] = []
        while let piece = waiting.take() { pieces.append(String(buffer: piece)) }
        return pieces
    }

    @Test(
        arguments: [
            ([], []), (["a"], ["a"]), (["aa", "bb"], ["aabb"]), (["aa", "bb", "c"], ["aabb", "c"]),
            (["a", "bbbbb", "cc", "dd"], ["a", "bbbbb", "ccdd"]), (["aaaa", "", "b"], ["aaaa", "b"]),
        ] as [([String], [String])])
    func `queued texts are joined into pieces, and no text is split`(texts: [String], pieces: [String]) {
        let waiting = WaitingText(most: 10, maxLength: 4)
        for text in texts { #expect(waiting.put(ByteBuffer(string: text))) }
        #expect(Self.taken(waiting) == pieces)
        #expect(Self.taken(waiting) == [])
    }

    @Test func `a text is refused if the queue is full or has ended`() {
        let waiting = WaitingText(most: 2, maxLength: 100)
        let text = ByteBuffer(string: "a")
        #expect(waiting.put(text))
        #expect(waiting.put(text))
        #expect(!waiting.put(text))
        #expect(Self.taken(waiting) == ["aa"])
        #expect(waiting.put(text))
        waiting.end()
        #expect(!waiting.put(text))
        #expect(Self.taken(waiting) == ["a"])
    }

    @Test func `the queue signals an urgent text or a full piece at once, and other texts after the pause`() async {
        let clock = ManualClock()
        let waiting = WaitingText(most: 10, maxLength: 4)
        var wakes = waiting.wakes.makeAsyncIterator()
        let pacing = Task { await waiting.pace(by: clock, .milliseconds(50)) }
        #expect(waiting.put(ByteBuffer(string: "a")))
        await wakes.next()
        await clock.waitForSleepers()
        #expect(Self.taken(waiting) == ["a"])
        #expect(waiting.put(ByteBuffer(string: "b"), isUrgent: true))
        await wakes.next()
        #expect(waiting.put(ByteBuffer(string: "cccc")))
        await wakes.next()
        #expect(Self.taken(waiting) == ["b", "cccc"])
        #expect(waiting.put(ByteBuffer(string: "d")))
        clock.advance(by: .milliseconds(50))
        await wakes.next()
        #expect(Self.taken(waiting) == ["d"])
        #expect(waiting.put(ByteBuffer(string: "e")))
        waiting.end()
        while await wakes.next() != nil {}
        #expect(Self.taken(waiting) == ["e"])
        pacing.cancel()
        await pacing.value
    }
}
