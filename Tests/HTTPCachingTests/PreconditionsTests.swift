import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.3.2 and of RFC 9110 §13 and §14.
struct PreconditionsTests {
    @Test(
        arguments: [
            ([("If-None-Match", "\"a\"")], true), ([("If-None-Match", "W/\"a\"")], true),
            ([("If-None-Match", "\"b\", \"a\"")], true),
            ([("If-None-Match", "\"b\""), ("If-None-Match", "\"a\"")], true),
            ([("If-None-Match", "*")], true), ([("If-None-Match", "\"b\"")], false), ([("If-None-Match", "a")], false),
            ([("If-None-Match", "")], false),
            // The date is compared only if the request has no tags.
            ([("If-None-Match", "\"b\""), ("If-Modified-Since", CacheBench.date(0))], false),
            ([("If-None-Match", "\"a\""), ("If-Modified-Since", CacheBench.date(-9_999))], true),
            ([("If-Modified-Since", CacheBench.date(-100))], true),
            ([("If-Modified-Since", CacheBench.date(-99))], true),
            ([("If-Modified-Since", CacheBench.date(-101))], false), ([("If-Modified-Since", "then")], false),
            ([], false),
        ] as [([(String, String)], Bool)])
    func `a matching tag or date means that the caller has the stored response`(
        request: [(String, String)], hasIt: Bool
    ) {
        let stored = CacheBench.stored([("ETag", "\"a\""), ("Last-Modified", CacheBench.date(-100))])
        #expect(Preconditions.hasCurrent(CacheBench.fields(request), stored) == hasIt)
    }

    @Test func `the Date field replaces a missing Last-Modified, and no date matches a stored error`() {
        let dated = CacheBench.stored([("Date", CacheBench.date(-50))])
        let request = CacheBench.fields([("If-Modified-Since", CacheBench.date(-50))])
        #expect(Preconditions.hasCurrent(request, dated))
        #expect(!Preconditions.hasCurrent(request, CacheBench.stored([])))
        let missing = CacheBench.stored([("Date", CacheBench.date(-50))], status: 404)
        #expect(!Preconditions.hasCurrent(request, missing))
    }

    @Test(
        arguments: [
            ([], 0..<10, 10, "bytes=2-4", .part(2..<5)), ([], 0..<10, 10, "bytes=-3", .part(7..<10)),
            ([], 0..<10, 10, "bytes=10-", .unsatisfiable(length: 10)), ([], 0..<10, 10, "bytes=4-2", .whole),
            ([], 0..<10, 10, "bytes=0-1,4-5", .whole), ([], 0..<10, 10, nil, .whole),
            ([], 4..<10, 10, "bytes=4-", .part(4..<10)),
            ([], 4..<10, 10, "bytes=-6", .part(4..<10)), ([], 4..<10, 10, "bytes=-7", nil),
            ([], 4..<10, 10, "bytes=3-4", nil),
            ([], 4..<10, 10, nil, nil), ([], 4..<10, 10, "bytes=20-", .unsatisfiable(length: 10)),
            ([], 4..<10, nil, "bytes=5-6", .part(5..<7)), ([], 4..<10, nil, "bytes=5-", nil),
            ([], 4..<10, nil, "bytes=-1", nil),
            ([], 4..<10, nil, "bytes=5-10", nil),
            ([("If-Range", "\"a\"")], 0..<10, 10, "bytes=2-4", .part(2..<5)),
            ([("If-Range", "\"b\"")], 0..<10, 10, "bytes=2-4", .whole),
            ([("If-Range", "W/\"a\"")], 0..<10, 10, "bytes=2-4", .whole),
            ([("If-Range", "\"b\"")], 4..<10, 10, "bytes=4-", nil),
            ([("If-Range", CacheBench.date(-100))], 0..<10, 10, "bytes=2-4", .part(2..<5)),
            ([("If-Range", CacheBench.date(-99))], 0..<10, 10, "bytes=2-4", .whole),
        ] as [([(String, String)], Range<Int>, Int?, String?, Coverage?)])
    func `the coverage of a range request follows from its range and the stored bytes`(
        conditions: [(String, String)], bytes: Range<Int>, length: Int?, range: String?, coverage: Coverage?
    ) {
        let validators = [
            ("ETag", "\"a\""), ("Last-Modified", CacheBench.date(-100)), ("Date", CacheBench.date(0)),
        ]
        let stored = CacheBench.stored(validators, status: bytes == 0..<10 ? 200 : 206, bytes: bytes, of: length)
        var request = OriginRequest(.get, CacheBench.url, fields: CacheBench.fields(conditions))
        request.fields[.range] = range
        #expect(Coverage.of(stored, for: request) == coverage)
    }

    @Test func `a range applies only to GET and to successful responses`() {
        let fields = CacheBench.fields([("Range", "bytes=0-1")])
        let head = OriginRequest(.head, CacheBench.url, fields: fields)
        #expect(Coverage.of(CacheBench.stored([]), for: head) == .whole)
        let get = OriginRequest(.get, CacheBench.url, fields: fields)
        #expect(Coverage.of(CacheBench.stored([], status: 404), for: get) == .whole)
    }
}
