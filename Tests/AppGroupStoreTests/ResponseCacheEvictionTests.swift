import Foundation
import GRDB
import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

@Suite(.timeLimit(.minutes(1))) struct ResponseCacheEvictionTests {
    private let fixture: ResponseCacheFixture

    init() throws { fixture = try ResponseCacheFixture() }

    private func kept(_ cache: ResponseCache, of count: Int) async -> [Int] {
        var kept: [Int] = []
        for number in 0..<count where await !cache.responses(for: "key \(number)").isEmpty { kept.append(number) }
        return kept
    }

    @Test func `the least recently used response is evicted first`() async throws {
        try await fixture.with(limits: ResponseCacheLimits(entries: 3)) { cache in
            var stored: [StoredResponse] = []
            for number in 0..<3 {
                stored.append(try await fixture.store("x", "\(number)", for: "key \(number)", in: cache))
            }
            #expect(await cache.text(of: stored[0]) == "x")
            try await fixture.store("x", "3", for: "key 3", in: cache)
            #expect(await cache.statistics().evicted == 1)
            #expect(await kept(cache, of: 4) == [0, 2, 3])
            #expect(fixture.bodies().count == 3)
        }
    }

    @Test func `a lookup updates the time of use of a response without a body`() async throws {
        try await fixture.with(limits: ResponseCacheLimits(entries: 3)) { cache in
            for number in 0..<3 {
                await cache.insert(
                    ResponseCacheFixture.response("\(number)", for: "key \(number)", byteCount: 0), body: nil, since: 0)
            }
            #expect(await cache.ids(for: "key 0") == ["0"])
            try await fixture.store("x", "3", for: "key 3", in: cache)
            #expect(await cache.statistics().entries == 3)
            #expect(await kept(cache, of: 4) == [0, 2, 3])
        }
    }

    @Test func `the times of use of responses are read from the index after a restart`() async throws {
        try await fixture.with { cache in
            let first = try await fixture.store("x", "0", for: "key 0", in: cache)
            try await fixture.store("x", "1", for: "key 1", in: cache)
            #expect(await cache.statistics().entries == 2)
            #expect(await cache.text(of: first) == "x")
        }
        try await fixture.with(limits: ResponseCacheLimits(entries: 2)) { cache in
            try await fixture.store("x", "2", for: "key 2", in: cache)
            #expect(await cache.statistics().entries == 2)
            #expect(await kept(cache, of: 3) == [0, 2])
        }
    }

    @Test func `the bytes of bodies and headers do not exceed the quota`() async throws {
        let body = String(repeating: "x", count: 100_000)
        try await fixture.with(limits: ResponseCacheLimits(quota: 450_000)) { cache in
            for number in 0..<10 {
                try await fixture.store(body, "\(number)", for: "key \(number)", in: cache)
                let statistics = await cache.statistics()
                #expect(statistics.bytes <= 450_000)
                #expect(statistics.entries == min(number + 1, 4))
            }
            #expect(await kept(cache, of: 10) == [6, 7, 8, 9])
            #expect(fixture.bodies().count == 4)
        }
    }

    @Test func `the totals of the cache equal the sums of its rows after each kind of change`() async throws {
        try await fixture.with { cache in
            for number in 0..<20 { try await fixture.store("\(number)", "\(number)", for: "key", in: cache) }
            for number in 0..<5 { try await fixture.store("again", "\(number)", for: "key", in: cache) }
            var response = ResponseCacheFixture.response("7", for: "key", byteCount: 1)
            response.head.fields[.age] = "1234567890"
            await cache.update(response)
            await cache.remove(["8", "9", "none"])
            let statistics = await cache.statistics()
            #expect(statistics.entries == 18)
            let index = try #require(await cache.index)
            let bytes = try await index.database.read { database in
                try Int.fetchOne(
                    database, sql: "SELECT sum(bodyBytes + length(fields) + length(requestFields)) FROM response")
            }
            #expect(statistics.bytes == bytes)
        }
    }

    @Test func `a response that is too large is refused without a warning`() async throws {
        try await fixture.with(limits: ResponseCacheLimits(largest: 10)) { cache in
            try await fixture.store("12345678901", "large", for: "key 0", in: cache)
            try await fixture.store("1234567890", "just", for: "key 1", in: cache)
            #expect(await kept(cache, of: 2) == [1])
            #expect(await cache.statistics().refused == 1)
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test func `smaller limits evict responses until the cache is within the limits`() async throws {
        try await fixture.with { cache in
            for number in 0..<300 { try await fixture.store("x", "\(number)", for: "key \(number)", in: cache) }
            #expect(await cache.statistics().entries == 300)
            await cache.change(ResponseCacheLimits(entries: 5))
            #expect(await cache.statistics().entries == 5)
            #expect(await cache.statistics().evicted == 295)
            #expect(await kept(cache, of: 300) == [295, 296, 297, 298, 299])
            #expect(fixture.bodies().count == 5)
        }
    }

    @Test func `a large response evicts many small responses step by step`() async throws {
        try await fixture.with(limits: ResponseCacheLimits(quota: 400_000)) { cache in
            for number in 0..<400 { try await fixture.store("x", "\(number)", for: "key \(number)", in: cache) }
            #expect(await cache.statistics().entries == 400)
            try await fixture.store(String(repeating: "x", count: 390_000), "large", for: "large", in: cache)
            try await wait(for: "the room") { await cache.statistics().bytes <= 400_000 }
            #expect(await cache.statistics().evicted > 256)
            #expect(await cache.ids(for: "large") == ["large"])
            #expect(await cache.ids(for: "key 399") == ["399"])
        }
    }

    @Test func `a file without a row is removed only if it was created before the given date`() async throws {
        try await fixture.with { cache in
            try await fixture.store("x", "one", in: cache)
            #expect(await cache.statistics().entries == 1)
            let known = try #require(fixture.bodies().first)
            let shard = try #require(known.split(separator: "/").dropLast().last)
            let orphan = "\(fixture.cacheDirectory)/bodies/\(shard)/\(shard)-orphan"
            try FileSystem.write([1], toFile: orphan)
            let changed = try FileSystem.look(at: orphan).changeDate
            await cache.sweepAll(from: 0, namedBefore: changed)
            _ = await cache.statistics()
            #expect(fixture.bodies().count == 2)
            await cache.sweep(String(shard), namedBefore: changed.addingTimeInterval(1))
            #expect(fixture.bodies() == [known])
        }
    }
}
