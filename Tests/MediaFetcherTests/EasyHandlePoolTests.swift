import NotificationModel
import Testing

@testable import MediaFetcher

/// Handles that nobody uses are kept for as long as somebody may soon.
struct EasyHandlePoolTests {
    private let kind = CurlEasy.Kind(caFile: nil, isDecoded: true, bufferSize: 16_384)

    @Test func `all that end together are kept for those that begin together`() throws {
        let stock = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let first = try (0..<40).map { _ in try stock.take(kind) }
        giveBack(first, to: stock)
        let second = try (0..<40).map { _ in try stock.take(kind) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
        #expect(stock.isEmpty)
    }

    @Test func `what nobody has taken from one look to the next is let go of, and no more`() throws {
        let stock = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<10).map { _ in try stock.take(kind) }, to: stock)
        #expect(stock.letGoOfSpare())
        // Of ten, three are in use at a time.
        for _ in 0..<5 { giveBack(try (0..<3).map { _ in try stock.take(kind) }, to: stock) }
        #expect(stock.letGoOfSpare())
        let kept = try (0..<3).map { _ in try stock.take(kind) }
        #expect(stock.isEmpty)
        giveBack(kept, to: stock)
        #expect(stock.letGoOfSpare())
        #expect(!stock.letGoOfSpare())
        #expect(stock.isEmpty)
    }

    @Test func `of many only some are let go of at once, so that the thread goes on`() throws {
        let stock = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        giveBack(try (0..<40).map { _ in try stock.take(kind) }, to: stock)
        #expect(stock.letGoOfSpare())
        #expect(stock.letGoOfSpare())
        #expect(!stock.isEmpty)
        #expect(!stock.letGoOfSpare())
        #expect(stock.isEmpty)
    }

    @Test func `one of those who give something back looks after it, until nothing is left`() throws {
        let stock = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let handles = try (0..<3).map { _ in try stock.take(kind) }
        #expect(stock.giveBack(handles[0]))
        #expect(!stock.giveBack(handles[1]))
        #expect(stock.letGoOfSpare())
        #expect(!stock.giveBack(handles[2]))
        // Two were there all the time, and then the third.
        #expect(stock.letGoOfSpare())
        #expect(!stock.letGoOfSpare())
        #expect(stock.giveBack(try stock.take(kind)))
    }

    private func giveBack(_ handles: [CurlEasy], to stock: EasyHandlePool) {
        for easy in handles { _ = stock.giveBack(easy) }
    }

    @Test func `a handle of another kind is another one`() throws {
        let stock = try #require(EasyHandlePool(certificates: CAStoreCache(), userAgent: "test"))
        let easy = try stock.take(kind)
        giveBack([easy], to: stock)
        var other = kind
        other.bufferSize = 32_768
        #expect(try stock.take(other) !== easy)
        #expect(try stock.take(kind) === easy)
    }
}
