import Testing

@testable import MediaTranscoder

struct AnimationCapSearchTests {
    private typealias Attempt = AnimationCapSearch.Attempt

    /// Returns the first attempt for an animation of 1,000 × 1,000 pixels with 100 frames of 100 ms.
    private func attempt(expected: Int, maxBytes: UInt64 = 1_000_000) -> Attempt? {
        var search = AnimationCapSearch(maxBytes: maxBytes, expected: expected, side: 1_000, frames: 100)
        return search.next(delay: 100)
    }

    @Test func `a search does not change an animation that fits its cap`() {
        #expect(attempt(expected: 900_000) == .whole(1_000, 100))
    }

    @Test func `a search reduces first the size, then the colors, then the frame rate, and last the duration`() throws {
        let smaller = try #require(attempt(expected: 4_000_000))
        #expect(smaller.side < 500 && smaller.side > 400 && smaller.colors == 255 && smaller.frames == 100)
        let coarser = try #require(attempt(expected: 12_000_000))
        #expect(coarser.side == 320 && coarser.colors == 127 && coarser.gap == 20 && coarser.frames == 100)
        let slower = try #require(attempt(expected: 25_000_000))
        #expect(slower.side == 320 && slower.gap > 100 && slower.frames == 100)
        let small = try #require(attempt(expected: 100_000_000))
        #expect(small.side < 320 && small.side >= 64 && small.gap == 200 && small.frames == 100)
        let cut = try #require(attempt(expected: 4_000_000_000))
        #expect(cut.side == 64 && cut.frames < 100 && cut.frames > 1)
        #expect(attempt(expected: 900_000_000_000) == nil)
    }

    @Test func `the search tries a smaller animation after each failed attempt, until the search ends`() throws {
        var search = AnimationCapSearch(maxBytes: 1_000_000, expected: 500_000, side: 1_000, frames: 100)
        let first = search.next(delay: 100)
        var last = try #require(first)
        #expect(last == .whole(1_000, 100))
        var attempts = 1
        search.exceeded(bytes: 3_000_000)
        while let next = search.next(delay: 100) {
            #expect(next.side < last.side || next.colors < last.colors || next.gap > last.gap, "\(next)")
            last = next
            attempts += 1
            search.exceeded(bytes: 1_400_000)
        }
        #expect(attempts == 6)
    }
}
