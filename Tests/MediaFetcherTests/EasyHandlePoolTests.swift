import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of the time for which idle handles are kept.
struct EasyHandlePoolTests {
    private let kind = CurlEasy.Kind(caFile: nil, isDecoded: true, bufferSize: 16_384)

    @Test func `all handles of a burst are kept for the next burst`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let first = try (0..<40).map { _ in try pool.take(kind) }
        giveBack(first, to: pool)
        let second = try (0..<40).map { _ in try pool.take(kind) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
        #expect(pool.isEmpty)
    }

    @Test func `a call of evictIdle frees the handles that were idle since the last call, and no other handles`() throws
    {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<10).map { _ in try pool.take(kind) }, to: pool)
        #expect(pool.evictIdle())
        // Three of ten handles are in use at a time.
        for _ in 0..<5 { giveBack(try (0..<3).map { _ in try pool.take(kind) }, to: pool) }
        #expect(pool.evictIdle())
        let kept = try (0..<3).map { _ in try pool.take(kind) }
        #expect(pool.isEmpty)
        giveBack(kept, to: pool)
        #expect(pool.evictIdle())
        #expect(!pool.evictIdle())
        #expect(pool.isEmpty)
    }

    @Test func `a call of evictIdle frees a limited number of handles`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<40).map { _ in try pool.take(kind) }, to: pool)
        #expect(pool.evictIdle())
        #expect(pool.evictIdle())
        #expect(!pool.isEmpty)
        #expect(!pool.evictIdle())
        #expect(pool.isEmpty)
    }

    @Test func `only the first caller that returns a handle must schedule evictIdle, until the pool is empty`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let handles = try (0..<3).map { _ in try pool.take(kind) }
        #expect(pool.giveBack(handles[0]))
        #expect(!pool.giveBack(handles[1]))
        #expect(pool.evictIdle())
        #expect(!pool.giveBack(handles[2]))
        // Two handles were idle all the time, and the third one was idle at the end.
        #expect(pool.evictIdle())
        #expect(!pool.evictIdle())
        #expect(pool.giveBack(try pool.take(kind)))
    }

    private func giveBack(_ handles: [CurlEasy], to pool: EasyHandlePool) {
        for easy in handles { _ = pool.giveBack(easy) }
    }

    @Test func `a handle of another kind is not reused`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let easy = try pool.take(kind)
        giveBack([easy], to: pool)
        var other = kind
        other.bufferSize = 32_768
        #expect(try pool.take(other) !== easy)
        #expect(try pool.take(kind) === easy)
    }
}
