import Testing

@testable import MediaFetcher

@Suite struct LaneChoiceTests {
    private static let full = LaneChoice.fullLane

    private static func choice(lanes: Int) -> LaneChoice {
        var choice = LaneChoice()
        for _ in 1..<lanes { choice.open() }
        return choice
    }

    /// Transfers on each thread, after so many to one host.
    private static func places(of transfers: Int, lanes: Int) -> [Int] {
        var choice = choice(lanes: lanes)
        var counts = [Int](repeating: 0, count: lanes)
        for number in 1...transfers { counts[choice.enter(1, .init(toHost: number, inAll: number))] += 1 }
        return counts
    }

    @Test(arguments: 1...4) func `another thread is wanted when all have enough to do`(lanes: Int) {
        let choice = Self.choice(lanes: lanes)
        #expect(!choice.wantsAnother(.init(toHost: 1, inAll: lanes * Self.full)))
        #expect(choice.wantsAnother(.init(toHost: 1, inAll: lanes * Self.full + 1)))
    }

    @Test func `a few stay on the first thread, whatever stands still beside them`() {
        var choice = Self.choice(lanes: 4)
        for number in 1...500 { _ = choice.enter(0, .init(toHost: number, inAll: number)) }
        for host in UInt(0)..<100 { #expect(choice.enter(host, .init(toHost: 1, inAll: Self.full)) == 0) }
    }

    @Test func `what leaves makes room on its thread`() {
        var choice = Self.choice(lanes: 2)
        for number in 1...Self.full { _ = choice.enter(7, .init(toHost: number, inAll: number)) }
        let many = LaneChoice.Moving(toHost: Self.full + 1, inAll: Self.full + 1)
        for _ in 1...2 * Self.full { #expect(choice.enter(7, many) == 1) }
        #expect(choice.enter(7, many) == 0)
        choice.leave(1)
        #expect(choice.enter(7, many) == 1)
    }

    @Test func `of many to one host the first thread has half as many as each other`() {
        #expect(Self.places(of: 96, lanes: 2) == [32, 64])
        #expect(Self.places(of: 150, lanes: 3) == [32, 59, 59])
        #expect(Self.places(of: 700, lanes: 4) == [100, 200, 200, 200])
    }

    @Test(arguments: 1...4) func `of as many streams as a host may have no thread has more than one connection carries`(
        lanes: Int
    ) throws {
        let places = Self.places(of: LaneChoice.mostStreams(on: lanes), lanes: lanes)
        let most = try #require(places.max())
        #expect(most <= LaneChoice.streamsOfConnection)
        #expect(most > LaneChoice.streamsOfConnection - lanes)
    }

    @Test func `a host with few keeps its thread while others are busy`() {
        var choice = Self.choice(lanes: 2)
        for host in UInt(0)..<30 {
            let places = Set((1...Self.full).map { choice.enter(host, .init(toHost: $0, inAll: 100)) })
            #expect(places == [host % 3 == 0 ? 0 : 1])
        }
    }

    /// libcurl has others wait for a connection whose protocol it does not know yet, and elsewhere there is none.
    @Test(arguments: [1, 20, 100, 1_000]) func `a host that has not answered stays where it is connected to`(
        number: Int
    ) {
        var choice = Self.choice(lanes: 4)
        for place in 0..<4 {
            let moving = LaneChoice.Moving(toHost: number, inAll: number)
            #expect(choice.enter(9, moving, connected: place) == place)
        }
    }

    @Test(arguments: [2, 3, 4]) func `hosts are shared out as transfers are`(lanes: Int) {
        var choice = Self.choice(lanes: lanes)
        var counts = [Int](repeating: 0, count: lanes)
        for host in UInt(0)..<UInt(100 * (2 * lanes - 1)) {
            counts[choice.enter(host, .init(toHost: 1, inAll: 200))] += 1
        }
        #expect(counts == [100] + [Int](repeating: 200, count: lanes - 1))
    }
}
