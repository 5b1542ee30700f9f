import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of the messages that are deleted because they are too old or too many.
@Suite(.timeLimit(.minutes(1))) struct MessageLimitTests {
    private func record(
        _ name: String, _ assets: [StoredAsset] = [], emittedAt second: Int, prefetchedFor: PrefetchRecipient? = nil,
        in fixture: StoreFixture
    ) async throws {
        var message = StoreFixture.message(try #require(RequestID(name)), assets)
        message.prefetchedFor = prefetchedFor
        try await fixture.store.record(message, in: StoreFixture.group)
        try await fixture.write("UPDATE message SET emittedAt = \(second) WHERE id = '\(name)'")
    }

    private static func limits(_ messages: Int) -> ContainerLimits {
        var limits = ContainerLimits(retention: .seconds(86_400 * 36_500))
        limits.messages = messages
        return limits
    }

    private func ids(_ fixture: StoreFixture) async throws -> [String] {
        try await fixture.rows("SELECT id FROM message ORDER BY id")
    }

    @Test func `a message without files ends with the retention of media`() async throws {
        try await StoreFixture.with { fixture in
            try await record("new", emittedAt: 2_000, in: fixture)
            // These are more messages than one transaction deletes.
            try await fixture.write(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1200)
                INSERT INTO message (id, emittedAt, body) SELECT 'm-' || n, 1000, 'B' FROM number
                """)
            let limits = ContainerLimits(retention: .seconds(500))
            _ = await fixture.store.evict(within: limits, at: Date(timeIntervalSince1970: 1_400))
            #expect(try await ids(fixture).count == 1_201)
            _ = await fixture.store.evict(within: limits, at: Date(timeIntervalSince1970: 1_600))
            #expect(try await ids(fixture) == ["new"])
        }
    }

    @Test func `the oldest messages are deleted if a group has too many`() async throws {
        try await StoreFixture.with { fixture in
            for (index, name) in ["c", "a", "e", "b", "d"].enumerated() {
                try await record(name, emittedAt: 1_000 + index, in: fixture)
            }
            _ = await fixture.store.evict(within: Self.limits(5), at: .now)
            #expect(try await ids(fixture).count == 5)
            _ = await fixture.store.evict(within: Self.limits(2), at: .now)
            #expect(try await ids(fixture) == ["b", "d"])
        }
    }

    @Test func `a message by which a purge finds a file is kept, although there are too many`() async throws {
        try await StoreFixture.with { fixture in
            let (single, shared) = (try await fixture.keep("single"), try await fixture.keep("shared"))
            try await record("a", [single], emittedAt: 1_000, in: fixture)
            for (index, name) in ["b", "c", "d"].enumerated() {
                try await record(name, [shared], emittedAt: 1_001 + index, in: fixture)
            }
            _ = await fixture.store.evict(within: Self.limits(1), at: .now)
            #expect(try await ids(fixture) == ["a", "d"])
            #expect(try fixture.kept() == ["shared", "single"])
        }
    }

    @Test func `a silent push whose file is leased is kept for the push that follows it`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one", until: Date(timeIntervalSinceNow: 3_600))
            try await record("a", [asset], emittedAt: 1_000, prefetchedFor: .recipient("ana"), in: fixture)
            try await record("b", [asset], emittedAt: 1_001, in: fixture)
            try await record("c", [asset], emittedAt: 1_002, in: fixture)
            _ = await fixture.store.evict(within: Self.limits(1), at: .now)
            #expect(try await ids(fixture) == ["a", "c"])
        }
    }
}
