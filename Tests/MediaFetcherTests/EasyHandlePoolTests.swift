import NotificationModel
import Testing

@testable import MediaFetcher

/// Handles that nobody uses are kept for as long as somebody may soon.
struct EasyHandlePoolTests {
    private let kind = CurlEasy.Kind(caFile: nil, isDecoded: true, bufferSize: 16_384)

    @Test func `all that end together are kept for those that begin together`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let first = try (0..<40).map { _ in try pool.take(kind) }
        giveBack(first, to: pool)
        let second = try (0..<40).map { _ in try pool.take(kind) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
        #expect(pool.isEmpty)
    }

    @Test func `what nobody has taken from one look to the next is let go of, and no more`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<10).map { _ in try pool.take(kind) }, to: pool)
        #expect(pool.evictIdle())
        // Of ten, three are in use at a time.
        for _ in 0..<5 { giveBack(try (0..<3).map { _ in try pool.take(kind) }, to: pool) }
        #expect(pool.evictIdle())
        let kept = try (0..<3).map { _ in try pool.take(kind) }
        #expect(pool.isEmpty)
        giveBack(kept, to: pool)
        #expect(pool.evictIdle())
        #expect(!pool.evictIdle())
        #expect(pool.isEmpty)
    }

    @Test func `of many only some are let go of at once, so that the thread goes on`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<40).map { _ in try pool.take(kind) }, to: pool)
        #expect(pool.evictIdle())
        #expect(pool.evictIdle())
        #expect(!pool.isEmpty)
        #expect(!pool.evictIdle())
        #expect(pool.isEmpty)
    }

    @Test func `one of those who give something back looks after it, until nothing is left`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let handles = try (0..<3).map { _ in try pool.take(kind) }
        #expect(pool.giveBack(handles[0]))
        #expect(!pool.giveBack(handles[1]))
        #expect(pool.evictIdle())
        #expect(!pool.giveBack(handles[2]))
        // Two were there all the time, and then the third.
        #expect(pool.evictIdle())
        #expect(!pool.evictIdle())
        #expect(pool.giveBack(try pool.take(kind)))
    }

    private func giveBack(_ handles: [CurlEasy], to pool: EasyHandlePool) {
        for easy in handles { _ = pool.giveBack(easy) }
    }

    @Test func `a handle of another kind is another one`() throws {
        let pool = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let easy = try pool.take(kind)
        giveBack([easy], to: pool)
        var other = kind
        other.bufferSize = 32_768
        #expect(try pool.take(other) !== easy)
        #expect(try pool.take(kind) === easy)
    }
}
