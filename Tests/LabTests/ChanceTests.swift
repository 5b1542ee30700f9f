import Lab
import Testing

struct ChanceTests {
    @Test func `the same seed, key and attempt have the same choices`() {
        func draws(_ seed: UInt64, _ key: String, _ attempt: Int) -> [Double] {
            var chance = Chance(seed: seed, key: key, attempt: attempt)
            return [chance.unit(), chance.unit(), chance.normal()]
        }
        #expect(draws(1, "/a", 1) == draws(1, "/a", 1))
        #expect(draws(1, "/a", 1) != draws(2, "/a", 1))
        #expect(draws(1, "/a", 1) != draws(1, "/b", 1))
        #expect(draws(1, "/a", 1) != draws(1, "/a", 2))
    }

    @Test func `choices have the distributions that their names promise`() {
        let units = (1...10_000).map { attempt in
            var chance = Chance(seed: 7, key: "/a", attempt: attempt)
            return chance.unit()
        }
        #expect(units.allSatisfy { (0..<1).contains($0) })
        #expect((0.48...0.52).contains(units.reduce(0, +) / 10_000))
        let normals = (1...10_000).map { attempt in
            var chance = Chance(seed: 7, key: "/b", attempt: attempt)
            return chance.normal()
        }
        #expect((-0.05...0.05).contains(normals.reduce(0, +) / 10_000))
        #expect((0.9...1.1).contains(normals.reduce(0) { $0 + $1 * $1 } / 10_000))
    }

    @Test func `a link in a train has an outage at the end of each period`() {
        let outage = LinkShape.Outage(length: .seconds(3), period: .seconds(20))
        let link = LinkShape(outage: outage)
        #expect(link.remainingOutage(at: .seconds(16)) == .zero)
        #expect(link.remainingOutage(at: .seconds(17)) == .seconds(3))
        #expect(link.remainingOutage(at: .seconds(39)) == .seconds(1))
        #expect(link.remainingOutage(at: .seconds(40)) == .zero)
    }
}
