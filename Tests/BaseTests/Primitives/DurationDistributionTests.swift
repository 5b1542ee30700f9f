import Base
import Testing

@Suite struct DurationDistributionTests {
    @Test func `a quantile is at most 19 percent above the value`() throws {
        var distribution = DurationDistribution()
        for number in 1...1_000 { distribution.add(.milliseconds(number)) }
        for (share, value) in [(0.05, 50.0), (0.5, 500), (0.95, 950), (1, 1_000)] {
            let found = try #require(distribution.quantile(share)).milliseconds
            #expect(found >= value && found <= value * 1.19, "\(share): \(found)")
        }
    }

    @Test func `an empty distribution has no quantile`() {
        #expect(DurationDistribution().quantile(0.5) == nil)
    }

    @Test func `a duration beyond the last bucket counts as the longest one`() throws {
        var distribution = DurationDistribution()
        distribution.add(.seconds(100_000))
        distribution.add(.seconds(-1))
        #expect(try #require(distribution.quantile(1)) > .seconds(260))
        #expect(try #require(distribution.quantile(0.5)) < .milliseconds(1))
        #expect(distribution.count == 2)
    }

    @Test func `the sum of two distributions has the values of both`() throws {
        var (one, other, all) = (DurationDistribution(), DurationDistribution(), DurationDistribution())
        for number in 1...100 {
            if number.isMultiple(of: 3) {
                one.add(.milliseconds(number))
            } else {
                other.add(.milliseconds(number))
            }
            all.add(.milliseconds(number))
        }
        one += other
        #expect(one == all)
        var empty = DurationDistribution()
        empty += all
        #expect(empty == all)
    }
}
