import Testing

@testable import MediaFetcher

/// Handles that nobody uses are kept for as long as somebody may soon.
struct CurlStockTests {
    private let kind = CurlEasy.Kind(caFile: nil, isDecoded: true, bufferSize: 16_384)

    @Test func `all that end together are kept for those that begin together`() throws {
        let stock = try #require(CurlStock(userAgent: "test"))
        let first = try (0..<40).map { _ in try stock.take(kind) }
        for easy in first { stock.giveBack(easy) }
        let second = try (0..<40).map { _ in try stock.take(kind) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
        #expect(stock.isEmpty)
    }

    @Test func `what nobody has taken from one look to the next is let go of, and no more`() throws {
        let stock = try #require(CurlStock(userAgent: "test"))
        for easy in try (0..<10).map({ _ in try stock.take(kind) }) { stock.giveBack(easy) }
        stock.letGoOfSpare()
        // Of ten, three are in use at a time.
        for _ in 0..<5 { for easy in try (0..<3).map({ _ in try stock.take(kind) }) { stock.giveBack(easy) } }
        stock.letGoOfSpare()
        let kept = try (0..<3).map { _ in try stock.take(kind) }
        #expect(stock.isEmpty)
        for easy in kept { stock.giveBack(easy) }
        stock.letGoOfSpare()
        #expect(!stock.isEmpty)
        stock.letGoOfSpare()
        #expect(stock.isEmpty)
    }

    @Test func `of many only some are let go of at once, so that the thread goes on`() throws {
        let stock = try #require(CurlStock(userAgent: "test"))
        for easy in try (0..<40).map({ _ in try stock.take(kind) }) { stock.giveBack(easy) }
        stock.letGoOfSpare()
        stock.letGoOfSpare()
        #expect(!stock.isEmpty)
        stock.letGoOfSpare()
        #expect(stock.isEmpty)
    }

    @Test func `a handle of another kind is another one`() throws {
        let stock = try #require(CurlStock(userAgent: "test"))
        let easy = try stock.take(kind)
        stock.giveBack(easy)
        var other = kind
        other.bufferSize = 32_768
        #expect(try stock.take(other) !== easy)
        #expect(try stock.take(kind) === easy)
    }
}
