import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §3.4.
struct PartialContentCombinerTests {
    @Test(
        arguments: [
            (0..<5, 5..<10, [.stored(0..<5), .new(5..<10)], 0..<10),
            (5..<10, 0..<5, [.new(0..<5), .stored(5..<10)], 0..<10),
            (0..<6, 4..<10, [.stored(0..<4), .new(4..<10)], 0..<10),
            (4..<10, 0..<6, [.new(0..<6), .stored(6..<10)], 0..<10),
            (0..<10, 3..<5, [.stored(0..<3), .new(3..<5), .stored(5..<10)], 0..<10),
            (3..<5, 0..<10, [.new(0..<10)], 0..<10),
            (2..<5, 5..<7, [.stored(2..<5), .new(5..<7)], 2..<7), (0..<4, 5..<10, nil, nil), (6..<10, 0..<5, nil, nil),
        ] as [(Range<Int>, Range<Int>, [PartialContentCombiner.Piece]?, Range<Int>?)])
    func `adjacent and overlapping parts are combined`(
        old: Range<Int>, new: Range<Int>, pieces: [PartialContentCombiner.Piece]?, bytes: Range<Int>?
    ) {
        let stored = CacheBench.stored([("ETag", "\"a\"")], status: 206, bytes: old, of: 10)
        let head = ResponseHead(status: 206, fields: CacheBench.fields([("ETag", "\"a\"")]))
        let joining = PartialContentCombiner(
            stored, StoredRange(bytes: new, completeLength: 10), head, received: CacheBench.start)
        #expect(joining?.pieces == pieces)
        #expect(joining?.bytes == bytes)
    }

    @Test(
        arguments: [
            ([("ETag", "\"a\"")], [("ETag", "\"a\"")], 10, true), ([("ETag", "\"a\"")], [("ETag", "\"b\"")], 10, false),
            ([("ETag", "W/\"a\"")], [("ETag", "W/\"a\"")], 10, false), ([("ETag", "a")], [("ETag", "a")], 10, false),
            ([("ETag", "\"a\"")], [], 10, false), ([], [], 10, false),
            ([("ETag", "\"a\"")], [("ETag", "\"a\"")], nil, true),
            ([("ETag", "\"a\"")], [("ETag", "\"a\"")], 11, false),
            ([("ETag", "\"a\""), ("Content-Encoding", "gzip")], [("ETag", "\"a\"")], 10, false),
            (
                [("Last-Modified", CacheBench.date(-60)), ("Date", CacheBench.date(0))],
                [("Last-Modified", CacheBench.date(-60)), ("Date", CacheBench.date(9))], 10, true
            ),
            (
                [("Last-Modified", CacheBench.date(-60)), ("Date", CacheBench.date(0))],
                [("Last-Modified", CacheBench.date(-60)), ("Date", CacheBench.date(9)), ("ETag", "\"a\"")], 10, false
            ),
            (
                [("Last-Modified", CacheBench.date(-59)), ("Date", CacheBench.date(0))],
                [("Last-Modified", CacheBench.date(-59)), ("Date", CacheBench.date(9))], 10, false
            ),
        ] as [([(String, String)], [(String, String)], Int?, Bool)])
    func `parts are combined only if strong validators match`(
        old: [(String, String)], new: [(String, String)], length: Int?, isJoined: Bool
    ) {
        let stored = CacheBench.stored(old, status: 206, bytes: 0..<5, of: 10)
        let head = ResponseHead(status: 206, fields: CacheBench.fields(new))
        let extent = StoredRange(bytes: 5..<10, completeLength: length)
        #expect((PartialContentCombiner(stored, extent, head, received: CacheBench.start) != nil) == isJoined)
    }

    @Test(
        arguments: [(5..<10, 200, nil, "10"), (5..<8, 206, "bytes 0-7/10", "8")] as [(Range<Int>, Int, String?, String)]
    )
    func `the headers of a combined response describe the combined bytes`(
        new: Range<Int>, status: Int, range: String?, length: String
    ) throws {
        let fields = CacheBench.fields([("ETag", "\"a\""), ("Content-Range", "bytes 0-4/10"), ("Content-Length", "5")])
        let stored = CacheBench.stored([("ETag", "\"a\"")], status: 206, bytes: 0..<5, of: 10)
        let head = ResponseHead(status: 206, fields: fields)
        let joining = try #require(
            PartialContentCombiner(
                stored, StoredRange(bytes: new, completeLength: 10), head, received: CacheBench.start))
        let joined = joining.head(head)
        #expect(joined.status == status)
        #expect(joined.fields[.contentRange] == range)
        #expect(joined.fields[.contentLength] == length)
    }

    @Test func `a part that exceeds the complete length is not combined`() {
        let stored = CacheBench.stored([("ETag", "\"a\"")], status: 206, bytes: 0..<5, of: 10)
        let head = ResponseHead(status: 206, fields: CacheBench.fields([("ETag", "\"a\"")]))
        let extent = StoredRange(bytes: 5..<12, completeLength: nil)
        #expect(PartialContentCombiner(stored, extent, head, received: CacheBench.start) == nil)
    }
}
