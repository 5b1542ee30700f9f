import Base
import NotificationModel
import Testing

@testable import MediaFetcher

struct AnswerCacheTests {
    private static let start = MonotonicInstant.now
    private static let address = IPAddress.v4(1)

    private static func name(_ number: Int) throws -> HostName { try #require(HostName("name-\(number).example")) }

    @Test(arguments: [
        (HostAnswer.addresses([address], ttl: .seconds(30)), Duration.seconds(30)),
        (.addresses([address], ttl: .seconds(3_600)), .seconds(60)),
        (.addresses([address], ttl: .zero), .seconds(1)),
        (.addresses([address], ttl: .seconds(-5)), .seconds(1)),
        (.nothing("nothing"), .seconds(5)),
        (.unknown("unknown"), .seconds(1)),
    ])
    func `an answer is cached until its time to live ends, and then removed`(answer: HostAnswer, life: Duration) throws
    {
        var cache = AnswerCache(limit: 4, maxTTL: .seconds(60))
        let name = try Self.name(1)
        let reported = cache.insert(answer, for: name, at: Self.start)
        let lastMoment = Self.start + life - .milliseconds(1)
        let kept = cache.find(name, at: lastMoment)
        let found = try #require(kept)
        #expect(found.failure == reported.failure)
        #expect(found.addresses == reported.addresses)
        if case .success(let host) = found { #expect(host.wasCached && host.ttl == .milliseconds(1)) }
        if case .success(let host) = reported { #expect(!host.wasCached && host.ttl == life) }
        #expect(cache.find(name, at: Self.start + life) == nil)
        #expect(cache.count == 0)
    }

    @Test func `the cache reports a failure with its age, and reports no failure for a name with addresses`() throws {
        var cache = AnswerCache(limit: 4, maxTTL: .seconds(60))
        let (failed, found) = (try Self.name(1), try Self.name(2))
        _ = cache.insert(.nothing("nothing"), for: failed, at: Self.start)
        _ = cache.insert(.addresses([Self.address], ttl: .seconds(9)), for: found, at: Self.start)
        let later = Self.start + .seconds(2)
        #expect(cache.failure(of: failed, at: later) == RememberedFailure(age: .seconds(2), cooldown: .seconds(3)))
        #expect(cache.failure(of: failed, at: Self.start + .seconds(5)) == nil)
        #expect(cache.failure(of: found, at: later) == nil)
    }

    @Test func `a full cache evicts the least recently used answer`() throws {
        var cache = AnswerCache(limit: 3, maxTTL: .seconds(60))
        for number in 1...3 { _ = cache.insert(.nothing("\(number)"), for: try Self.name(number), at: Self.start) }
        _ = cache.find(try Self.name(1), at: Self.start)
        _ = cache.insert(.nothing("4"), for: try Self.name(4), at: Self.start)
        let kept = try (1...4).filter { cache.find(try Self.name($0), at: Self.start) != nil }
        #expect(kept == [1, 3, 4])
    }

    @Test func `a full cache evicts an expired answer first`() throws {
        var cache = AnswerCache(limit: 2, maxTTL: .seconds(60))
        _ = cache.insert(.nothing("five seconds"), for: try Self.name(1), at: Self.start)
        _ = cache.insert(.unknown("one second"), for: try Self.name(2), at: Self.start)
        _ = cache.insert(.nothing("later"), for: try Self.name(3), at: Self.start + .seconds(1))
        let kept = try (1...3).filter { cache.find(try Self.name($0), at: Self.start + .seconds(1)) != nil }
        #expect(kept == [1, 3])
    }

    @Test func `a cache with a limit of 0 stores no answer, and still returns it to the caller`() throws {
        var cache = AnswerCache(limit: 0, maxTTL: .seconds(60))
        let reported = cache.insert(.addresses([Self.address], ttl: .seconds(9)), for: try Self.name(1), at: Self.start)
        #expect(reported.addresses == [Self.address])
        #expect(cache.count == 0)
    }
}
