import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import Features

/// Tests of the table `changes`, by which a reader continues from the last change that it knows.
@Suite(.timeLimit(.minutes(1))) struct MessageChangeTests {
    private func record(_ name: String, _ assets: [StoredAsset], in fixture: StoreFixture) async throws {
        try await fixture.store.record(
            StoreFixture.message(try #require(RequestID(name)), assets), in: StoreFixture.group)
    }

    private func changes(_ fixture: StoreFixture) async throws -> [String] {
        try await fixture.rows("SELECT change || ' ' || messageId FROM changes ORDER BY sequence")
    }

    @Test func `new, replaced and removed messages are changes in their order`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one", until: .now)
            try await record("a", [asset], in: fixture)
            try await record("b", [], in: fixture)
            try await record("a", [], in: fixture)
            try await fixture.write("DELETE FROM message WHERE id = 'b'")
            try await fixture.write("UPDATE message SET readAt = 7 WHERE id = 'a'")
            #expect(try await changes(fixture) == ["added a", "added b", "changed a", "removed b", "changed a"])
            #expect(try await fixture.rows("SELECT last - completeAfter FROM changeRange") == ["5"])
        }
    }

    @Test func `a message is changed when one of its files is evicted, and removed at the end`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one")
            try await record("a", [asset], in: fixture)
            let later = Date(timeIntervalSinceNow: 120)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: later)
            #expect(try await changes(fixture) == ["added a", "changed a"])
            _ = await fixture.store.evict(within: ContainerLimits(), at: later.addingTimeInterval(8 * 86_400))
            #expect(try await changes(fixture) == ["added a", "changed a", "removed a"])
        }
    }

    @Test func `a message is changed when a purge removes its file`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one", until: .now)
            try await record("a", [asset], in: fixture)
            let purge = ContainerIndex.Purge(ids: []) { $0 == "https://a.example/0" }
            #expect(try await fixture.store.purge(purge).files == 1)
            #expect(try await changes(fixture) == ["added a", "changed a"])
        }
    }

    @Test func `the table keeps the last hundred thousand changes, and says from where they are complete`() async throws
    {
        try await StoreFixture.with { fixture in
            try await record("a", [], in: fixture)
            let first = try #require(try await fixture.rows("SELECT completeAfter FROM changeRange").first)
            try await fixture.write(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 150000)
                INSERT INTO changes (messageId, change, at) SELECT 'a', 'changed', 1 FROM number
                """)
            let kept = try #require(try await fixture.rows("SELECT count(*) FROM changes").first.flatMap { Int($0) })
            #expect((ContainerIndex.keptChanges..<ContainerIndex.keptChanges + 1_000).contains(kept))
            #expect(try await fixture.rows("SELECT last - completeAfter FROM changeRange") == ["\(kept)"])
            #expect(try await fixture.rows("SELECT last - \(first) FROM changeRange") == ["150001"])
        }
    }

    @Test func `an index that replaces a damaged one has higher numbers, and none of the earlier changes`() async throws
    {
        try await StoreFixture.with { fixture in
            try await record("a", [], in: fixture)
            let known = try #require(
                try await fixture.rows("SELECT last FROM changeRange").first.flatMap { Int($0) })
            await fixture.store.closeIndexes()
            for part in ["-wal", "-shm", ""] {
                try FileManager.default.removeItem(atPath: fixture.groupDirectory + "/index.sqlite" + part)
            }
            try await record("b", [], in: fixture)
            let start = try await fixture.rows("SELECT completeAfter FROM changeRange").first.flatMap { Int($0) }
            #expect(try #require(start) > known)
        }
    }
}
