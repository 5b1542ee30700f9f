import HTTPTypes
import TestSupport
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §3 and §3.3.
struct StorabilityTests {
    @Test(
        arguments: [
            (200, "", true), (404, "", true), (403, "", false), (500, "", false), (302, "", false),
            (302, "max-age=1", true),
            (500, "max-age=1", true), (599, "max-age=1", true), (599, "", false), (599, "public", true),
            (503, "private", true), (200, "private", true), (200, "no-store", false),
            (200, "No-Store, max-age=9", false),
            (200, "no-store=\"a\"", false), (200, "x=\"no-store\"", true), (200, "no-cache", true),
            (200, "no-store, must-understand", true), (599, "max-age=9, must-understand", false),
            (599, "max-age=9, no-store, must-understand", false), (304, "max-age=9", false), (103, "max-age=9", false),
        ])
    func `the status and the directives decide whether a response is stored`(status: Int, control: String, mayBe: Bool)
    {
        let head = ResponseHead(status: status, fields: CacheBench.fields([("Cache-Control", control)]))
        #expect(Storability.mayStore(head, to: OriginRequest(.get, CacheBench.url)) == mayBe)
    }

    @Test(
        arguments: [
            ("Authorization", "Basic abc", true), ("Cookie", "a=b", true), ("Cache-Control", "no-store", false),
            ("Cache-Control", "no-cache", true), ("Range", "bytes=0-1", true),
        ])
    func `only no-store in a request prevents storing`(name: String, value: String, mayBe: Bool) {
        let request = OriginRequest(.get, CacheBench.url, fields: CacheBench.fields([(name, value)]))
        #expect(Storability.mayStore(ResponseHead(status: 200), to: request) == mayBe)
    }

    @Test(arguments: [("*", false), ("Accept, *", false), ("a b", false), ("Accept", true), ("", true)])
    func `a response with an unknown or universal Vary is not stored`(vary: String, mayBe: Bool) {
        let head = ResponseHead(status: 200, fields: CacheBench.fields([("Vary", vary)]))
        #expect(Storability.mayStore(head, to: OriginRequest(.get, CacheBench.url)) == mayBe)
    }

    @Test(
        arguments: [
            (.post, "max-age=9", CacheBench.url, true), (.post, "max-age=9", "picture.jpg", true),
            (.post, "", CacheBench.url, false), (.post, "max-age=9", "other.jpg", false),
            (.post, "max-age=9", nil, false), (.put, "max-age=9", CacheBench.url, false),
            (.delete, "max-age=9", CacheBench.url, false), (.head, "max-age=9", nil, false),
        ] as [(HTTPRequest.Method, String, String?, Bool)])
    func `a response to POST is stored only with its own URL and a lifetime`(
        method: HTTPRequest.Method, control: String, location: String?, mayBe: Bool
    ) {
        var head = ResponseHead(status: 200, fields: CacheBench.fields([("Cache-Control", control)]))
        head.fields[.contentLocation] = location
        #expect(Storability.mayStore(head, to: OriginRequest(method, CacheBench.url)) == mayBe)
    }

    @Test(
        arguments: [
            (206, "bytes 0-4/10", 5, true, 0..<5, 10), (206, "bytes 5-9/*", 5, true, 5..<10, nil),
            (206, "bytes 0-4/10", 3, false, 0..<3, 10),
            // These bodies do not fit their range.
            (206, "bytes 0-4/10", 6, true, nil, nil), (206, "bytes 0-4/10", 4, true, nil, nil),
            (206, "bytes 0-4/10", 5, false, nil, nil), (206, nil, 5, true, nil, nil),
            (206, "bytes 5-4/10", 5, true, nil, nil),
            (200, nil, 5, true, 0..<5, 5), (200, nil, 0, true, 0..<0, 0), (200, nil, 5, false, 0..<5, 10),
            (404, nil, 5, false, nil, nil),
        ] as [(Int, String?, Int, Bool, Range<Int>?, Int?)])
    func `the stored range of a response covers exactly the received bytes`(
        status: Int, range: String?, count: Int, isComplete: Bool, bytes: Range<Int>?, length: Int?
    ) throws {
        var fields = CacheBench.fields([("ETag", "\"a\""), ("Content-Length", "10")])
        fields[.contentRange] = range
        let file = try MemoryResponseStore.file(Array(repeating: 1, count: count))
        let extent = StoredRange(
            of: OriginResponse(
                head: ResponseHead(status: status, fields: fields), body: ResponseBody(file: file, bytes: 0..<count),
                failure: isComplete ? nil : CacheBench.cutOff, requestTime: CacheBench.start,
                responseTime: CacheBench.start))
        #expect(extent?.bytes == bytes)
        #expect(extent?.completeLength == length)
    }

    @Test(
        arguments: [
            [("ETag", "W/\"a\"")], [], [("Last-Modified", CacheBench.date(-10)), ("Date", CacheBench.date(0))],
            [("ETag", "\"a\""), ("Content-Encoding", "gzip")],
        ] as [[(String, String)]])
    func `the beginning of a body is not stored if it cannot be combined with a later rest`(fields: [(String, String)])
        throws
    {
        let file = try MemoryResponseStore.file([1, 2, 3])
        let extent = StoredRange(
            of: OriginResponse(
                head: ResponseHead(status: 200, fields: CacheBench.fields(fields)),
                body: ResponseBody(file: file, bytes: 0..<3), failure: CacheBench.cutOff, requestTime: CacheBench.start,
                responseTime: CacheBench.start))
        #expect(extent == nil)
    }

    @Test(
        arguments: [("3000000000", 3_000_000_000), ("2", nil), ("10, 10", nil), ("x", nil), (nil, nil)]
            as [(String?, Int?)])
    func `the stored beginning of a body has the Content-Length as its complete length`(text: String?, length: Int?)
        throws
    {
        var fields = CacheBench.fields([("ETag", "\"a\"")])
        fields[.contentLength] = text
        let extent = StoredRange(
            of: OriginResponse(
                head: ResponseHead(status: 200, fields: fields),
                body: ResponseBody(file: try MemoryResponseStore.file([1, 2, 3]), bytes: 0..<3),
                failure: CacheBench.cutOff,
                requestTime: CacheBench.start, responseTime: CacheBench.start))
        #expect(extent?.bytes == 0..<3)
        #expect(extent?.completeLength == length)
    }
}
