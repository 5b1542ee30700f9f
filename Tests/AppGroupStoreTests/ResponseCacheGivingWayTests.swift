import Foundation
import LinuxIO
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

/// Tests of the eviction of stored responses when the disk is full and other files need the space.
@Suite(.timeLimit(.minutes(1))) struct ResponseCacheGivingWayTests {
    private let fixture: ResponseCacheFixture

    init() throws { fixture = try ResponseCacheFixture() }

    private func key(_ number: Int) -> String { "https://a.example/\(number)" }

    private func fill(_ cache: ResponseCache, _ count: Int = 4) async throws {
        for number in 0..<count {
            try await fixture.store(String(repeating: "x", count: 1_000), "\(number)", for: key(number), in: cache)
        }
    }

    private func left(in cache: ResponseCache, of count: Int = 4) async -> [Int] {
        var left: [Int] = []
        for number in 0..<count where await !cache.ids(for: key(number)).isEmpty { left.append(number) }
        return left
    }

    @Test func `an eviction removes the least recently used responses until enough bytes are free`() async throws {
        try await fixture.with { cache in
            try await fill(cache)
            // The lookup is a use of the response, and this use is not written to the index yet.
            let first = try #require(await cache.responses(for: key(0)).first)
            #expect(await cache.body(of: first) != nil)
            #expect(await cache.evict(1_500))
            #expect(await left(in: cache) == [0, 3])
            let statistics = await cache.statistics()
            #expect(statistics.entries == 2)
            #expect(statistics.evicted == 2)
            #expect(fixture.bodies().count == 2)
        }
    }

    @Test
    func `repeated evictions remove all responses and the index, and then report that no file is left`() async throws {
        try await fixture.with { cache in
            try await fill(cache)
            var answers: [Bool] = []
            for _ in 0..<6 { answers.append(await cache.evict(1_000)) }
            #expect(answers == [true, true, true, true, true, false])
            #expect(fixture.bodies().isEmpty)
            #expect(FileSystem.size(of: fixture.cacheDirectory + "/index.sqlite") == nil)
            #expect(await left(in: cache) == [])
        }
    }

    @Test func `an eviction removes each file once although the index accepts no change`() async throws {
        try await fixture.with { cache in
            try await fill(cache)
            #expect(await cache.statistics().entries == 4)
            try await fixture.write(
                "CREATE TRIGGER no BEFORE DELETE ON response BEGIN SELECT raise(ABORT, 'no'); END")
            #expect(await cache.evict(1_500))
            #expect(fixture.bodies().count == 2)
            #expect(await cache.evict(1_500))
            #expect(fixture.bodies().isEmpty)
            #expect(await left(in: cache) == [])
        }
    }

    @Test func `the cache stores nothing while the disk is full`() async throws {
        try await fixture.with { cache in
            try await fill(cache, 1)
            _ = await cache.evict(1)
            try await fixture.store("late", "late", for: "late", in: cache)
            #expect(await cache.ids(for: "late") == [])
            #expect(await cache.statistics().refused == 1)
            #expect(fixture.bodies().isEmpty)
        }
        try await fixture.with { cache in
            try await fixture.store("later", "later", for: "later", in: cache)
            #expect(await cache.ids(for: "later") == ["later"])
        }
    }

    @Test func `an eviction from an unused cache frees nothing, and creates no file`() async throws {
        try await fixture.with { cache in #expect(await !cache.evict(1_000)) }
        #expect(!FileManager.default.fileExists(atPath: fixture.cacheDirectory))
        #expect(fixture.warnings.isEmpty)
    }
}
