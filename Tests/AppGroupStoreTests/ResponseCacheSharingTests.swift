import HTTPTypes
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

/// Tests of two processes on one root. Each has its own connection to the index, and reads it at every lookup.
@Suite(.timeLimit(.minutes(1))) struct ResponseCacheSharingTests {
    private let fixture: ResponseCacheFixture
    private let key = "https://a.example/1"

    init() throws { fixture = try ResponseCacheFixture() }

    private func withTwo(
        limits: ResponseCacheLimits = ResponseCacheLimits(),
        _ body: (ResponseCache, ResponseCache) async throws -> Void
    ) async throws {
        try await fixture.with(limits: limits, memoryAge: .zero) { one in
            try await fixture.with(limits: limits, memoryAge: .zero) { other in try await body(one, other) }
        }
        #expect(fixture.warnings.isEmpty)
    }

    @Test func `each process finds the responses that the other process stores, changes and removes`() async throws {
        try await withTwo { one, other in
            #expect(await other.ids() == [])
            var stored = try await fixture.store("bytes", "one", in: one)
            #expect(await one.statistics().entries == 1)
            #expect(await other.responses(for: key) == [stored])
            #expect(await other.text(of: stored) == "bytes")
            stored.head.fields[.age] = "9"
            await other.update(stored)
            #expect(await other.statistics().entries == 1)
            #expect(await one.responses(for: key) == [stored])
            await one.removeAll(for: key)
            #expect(await one.statistics().entries == 0)
            #expect(await other.ids() == [])
            #expect(await other.body(of: stored) == nil)
        }
    }

    @Test func `a cache reads a body that another process has replaced, even before the cache reads the index again`()
        async throws
    {
        try await fixture.with { one in
            #expect(await one.ids() == [])
            let old = try await fixture.store("old", "one", in: one)
            #expect(await one.ids() == ["one"])
            #expect(await one.statistics().entries == 1)
            try await fixture.with { other in
                let new = try await fixture.store("new", "one", in: other)
                #expect(await other.statistics().entries == 1)
                #expect(old == new)
            }
            // Both versions have the same headers, so the new bytes are valid for the old response.
            #expect(await one.text(of: old) == "new")
        }
    }

    @Test func `two processes together do not exceed the limits`() async throws {
        try await withTwo(limits: ResponseCacheLimits(entries: 10)) { one, other in
            for number in 0..<30 {
                let cache = number % 2 == 0 ? one : other
                try await fixture.store("x", "\(number)", for: "key \(number)", in: cache)
                #expect(await cache.statistics().entries == min(number + 1, 10))
            }
            #expect(await one.ids(for: "key 19") == [])
            #expect(await other.ids(for: "key 20") == ["20"])
            #expect(fixture.bodies().count == 10)
        }
    }

    @Test func `two processes can write at the same time`() async throws {
        try await withTwo { one, other in
            #expect(await one.ids() == [])
            #expect(await other.ids() == [])
            try await withThrowingTaskGroup { group in
                for (name, cache) in [("a", one), ("b", other)] {
                    group.addTask {
                        for number in 0..<200 {
                            try await fixture.store("x", "\(name)\(number)", for: "key \(number)", in: cache)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(await one.statistics().refused == 0)
            #expect(await other.statistics().refused == 0)
            #expect(await one.statistics().entries == 400)
            #expect(await Set(one.ids(for: "key 7")) == ["a7", "b7"])
        }
    }
}
