import Testing

@testable import MediaFetcher

@Suite struct LaneChoiceTests {
    private static let full = LaneChoice.fullLane

    /// Transfers on each thread, after so many to one host.
    private static func places(of transfers: Int, lanes: Int, host: UInt = 1) -> [Int] {
        var choice = LaneChoice()
        for _ in 1..<lanes { choice.open() }
        var counts = [Int](repeating: 0, count: lanes)
        for number in 1...transfers { counts[choice.enter(host, ofHost: number)] += 1 }
        return counts
    }

    @Test func `a few stay on the first thread, and want no other`() {
        var choice = LaneChoice()
        for number in 1...Self.full {
            #expect(!choice.wantsAnother)
            #expect(choice.enter(7, ofHost: number) == 0)
        }
        #expect(choice.wantsAnother)
        choice.leave(0)
        #expect(!choice.wantsAnother)
    }

    @Test func `what leaves makes room on its thread`() {
        var choice = LaneChoice()
        choice.open()
        for number in 1...Self.full { _ = choice.enter(7, ofHost: number) }
        let place = choice.enter(7, ofHost: Self.full + 1)
        #expect(place == 1)
        choice.leave(place)
        #expect(choice.enter(7, ofHost: Self.full + 1) == 1)
    }

    @Test func `of many to one host the first thread has half as many as each other`() {
        #expect(Self.places(of: 96, lanes: 2) == [32, 64])
        #expect(Self.places(of: 150, lanes: 3) == [32, 59, 59])
        #expect(Self.places(of: 700, lanes: 4) == [100, 200, 200, 200])
    }

    @Test func `a host with few keeps its thread while others are busy`() {
        var choice = LaneChoice()
        choice.open()
        for number in 1...100 { _ = choice.enter(0, ofHost: number) }
        for host in UInt(0)..<30 {
            let places = Set((1...Self.full).map { choice.enter(host, ofHost: $0) })
            #expect(places == [host % 3 == 0 ? 0 : 1])
        }
    }

    @Test(arguments: [2, 3, 4]) func `hosts are shared out as transfers are`(lanes: Int) {
        var choice = LaneChoice()
        for _ in 1..<lanes { choice.open() }
        for number in 1...Self.full { _ = choice.enter(0, ofHost: number) }
        var counts = [Int](repeating: 0, count: lanes)
        for host in UInt(0)..<UInt(100 * (2 * lanes - 1)) { counts[choice.enter(host, ofHost: 1)] += 1 }
        #expect(counts == [100] + [Int](repeating: 200, count: lanes - 1))
    }
}
