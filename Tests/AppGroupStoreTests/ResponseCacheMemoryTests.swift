import Base
import Dispatch
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore
@testable import HTTPCaching

@Suite(.timeLimit(.minutes(2))) struct ResponseCacheMemoryTests {
    private func entry(_ id: String, for key: String, at second: Double = 0, headByteCount: Int = 300) -> CacheEntry {
        CacheEntry(
            response: ResponseCacheFixture.response(id, for: key, byteCount: 0, at: second),
            headByteCount: headByteCount)
    }

    @Test func `a hit in memory does not read the index`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            #expect(await cache.ids() == [])
            try await fixture.store("x", "one", in: cache)
            for _ in 0..<10 { #expect(await cache.ids() == ["one"]) }
            let statistics = await cache.statistics()
            #expect(statistics.lookups == 11)
            #expect(statistics.lookupsFromMemory == 10)
        }
    }

    @Test func `a response in memory is served while the thread of the cache is busy`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            #expect(await cache.ids() == [])
            let stored = try await fixture.store("x", "one", in: cache)
            let isServed = DispatchSemaphore(value: 0)
            let result = Guarded(DispatchTimeoutResult.success)
            cache.loop.execute { result.withLock { $0 = isServed.wait(timeout: .now() + 10) } }
            #expect(await cache.responses(for: stored.key).map(\.id) == ["one"])
            #expect(await cache.body(of: stored) != nil)
            isServed.signal()
            await cache.loop.perform {}
            #expect(result.withLock { $0 } == .success)
        }
    }

    @Test(arguments: [
        (CacheIndex.Change.insert(Self.stored, SerializedHead(Self.stored.response)), true),
        (.update(Self.stored.response, SerializedHead(Self.stored.response)), true),
        (.removeAll(key: Self.stored.response.key), true),
        // These changes do not state the key of the response, so each key waits for them.
        (.remove(ids: ["one"]), false), (.removeFile("one"), false), (.verified(file: "one", boot: "b"), false),
    ])
    func `a lookup waits only for the changes that may concern its key`(
        _ change: CacheIndex.Change, leavesOthers: Bool
    ) async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            let pending = await cache.pending(change, behindLookupsOf: ["another", Self.stored.response.key])
            #expect(pending == [leavesOthers ? 1 : 0, 0])
        }
        #expect(fixture.warnings.isEmpty)
    }

    private static let stored = CacheEntry(
        response: ResponseCacheFixture.response("one", byteCount: 0), headByteCount: 100)

    @Test func `the cache keeps recent keys in memory, and removes older keys`() {
        var recent = RecentResponses(maxKeys: 8, maxBytes: 1 << 20)
        recent.set([entry("hot", for: "hot")], for: "hot")
        for number in 0..<100 {
            recent.set([entry("\(number)", for: "\(number)")], for: "\(number)")
            #expect(recent.list(for: "hot")?.count == 1)
            #expect(recent.keyCount <= 8)
            #expect(recent.idCount == recent.keyCount)
        }
        #expect(recent.list(for: "0") == nil)
        #expect(recent.response("0") == nil)
        #expect(recent.response("99")?.response.id == "99")
    }

    @Test func `a response with large headers removes more of the other keys from memory`() {
        var recent = RecentResponses(maxKeys: 1_000, maxBytes: 100_000)
        for number in 0..<100 {
            recent.set([entry("\(number)", for: "\(number)", headByteCount: 3_000)], for: "\(number)")
            #expect(recent.byteCount <= 100_000)
        }
        #expect(recent.keyCount > 4)
        recent.set([entry("huge", for: "huge", headByteCount: 50_000)], for: "huge")
        #expect(recent.list(for: "huge") == nil)
        recent.forgetAll()
        #expect(recent.byteCount == 0 && recent.idCount == 0)
    }

    @Test func `a response is added only to a key that is in memory`() {
        var recent = RecentResponses()
        recent.insert(entry("one", for: "key"))
        #expect(recent.list(for: "key") == nil)
        recent.set([], for: "key")
        for number in 0..<40 { recent.insert(entry("\(number)", for: "key", at: Double(number))) }
        #expect(recent.list(for: "key")?.map(\.response.id) == (8..<40).reversed().map { "\($0)" })
        #expect(recent.idCount == 32)
        recent.insert(entry("20", for: "key", at: 100))
        #expect(recent.list(for: "key")?.first?.response.id == "20")
        #expect(recent.idCount == 32)
        recent.remove("20")
        #expect(recent.idCount == 31)
        recent.forget("key")
        #expect(recent.idCount == 0 && recent.byteCount == 0)
    }

    @Test func `ten thousand responses take a bounded amount of memory`() async throws {
        let fixture = try ResponseCacheFixture()
        try await fixture.with { cache in
            for hundred in 0..<100 {
                await withTaskGroup { group in
                    for number in hundred * 100..<(hundred + 1) * 100 {
                        group.addTask {
                            let key = "https://a.example/\(number)"
                            #expect(await cache.responses(for: key) == [])
                            await cache.insert(
                                ResponseCacheFixture.response("\(number)", for: key, byteCount: 0), body: nil, since: 0)
                            #expect(await cache.responses(for: key).count == 1)
                        }
                    }
                }
            }
            let statistics = await cache.statistics()
            #expect(statistics.entries == 10_000)
            let (keys, ids, uses) = cache.front.withLock { ($0.recent.keyCount, $0.recent.idCount, $0.uses.count) }
            #expect(keys <= 4_096 && ids <= 4_096 && uses <= 2 * ResponseCache.maxUses)
            #expect(await cache.pending.isEmpty)
            #expect(await cache.ids(for: "https://a.example/0") == ["0"])
        }
        #expect(fixture.warnings.isEmpty)
    }
}

extension ResponseCache {
    /// Makes a change, and returns the number of unwritten changes after each lookup of a key.
    fileprivate func pending(_ change: CacheIndex.Change, behindLookupsOf keys: [String]) -> [Int] {
        self.change(change)
        return keys.map { key in
            _ = load(key)
            return pending.count
        }
    }
}
