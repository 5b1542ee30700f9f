import FoundationEssentials
import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §3.2, §4.3.4 and §4.3.5.
struct FresheningTests {
    private static let stored = [
        CacheBench.stored([("ETag", "\"a\""), ("Last-Modified", CacheBench.date(-100))], id: "1"),
        CacheBench.stored([("ETag", "\"b\"")], id: "2"), CacheBench.stored([("ETag", "\"a\"")], id: "3"),
        CacheBench.stored([("ETag", "W/\"c\"")], id: "4"), CacheBench.stored([("ETag", "W/\"c\"")], id: "5"),
    ]

    @Test(
        arguments: [
            ([("ETag", "\"a\"")], ["1", "3"]), ([("ETag", "\"b\"")], ["2"]), ([("ETag", "W/\"c\"")], ["4"]),
            ([("ETag", "W/\"a\"")], ["1"]), ([("ETag", "\"c\"")], []), ([("ETag", "\"x\"")], []),
            ([("ETag", "\"x\""), ("Last-Modified", CacheBench.date(-100))], []),
            ([("Last-Modified", CacheBench.date(-100))], ["1"]), ([("Last-Modified", CacheBench.date(-99))], []),
            ([], []),
        ] as [([(String, String)], [String])])
    func `a 304 confirms the stored responses with its validator`(fields: [(String, String)], ids: [String]) {
        let head = ResponseHead(status: 304, fields: CacheBench.fields(fields))
        let confirmed = Freshening.confirmed(by: head, received: CacheBench.start, among: Self.stored)
        #expect(confirmed.map(\.id) == ids)
    }

    @Test func `a 304 without a validator confirms the only stored response`() {
        let head = ResponseHead(status: 304)
        let one = [Self.stored[0]]
        #expect(Freshening.confirmed(by: head, received: CacheBench.start, among: one).map(\.id) == ["1"])
        #expect(Freshening.confirmed(by: head, received: CacheBench.start, among: []).isEmpty)
    }

    @Test func `the fields of a 304 replace the stored fields, except the fields that describe the stored body`() {
        var old = CacheBench.stored([
            ("Date", CacheBench.date(-100)), ("Age", "50"), ("Cache-Control", "max-age=1"), ("Content-Length", "10"),
            ("Content-Encoding", "gzip"), ("Content-Type", "image/png"), ("X-Old", "1"), ("X-Two", "a"), ("X-Two", "b"),
        ])
        old.storedBytes = 0..<10
        let head = ResponseHead(
            status: 304,
            fields: CacheBench.fields([
                ("Cache-Control", "max-age=60"), ("Content-Length", "0"), ("Content-Encoding", "br"),
                ("Content-Range", "bytes 0-1/2"), ("Content-Type", "image/jpeg"), ("X-Two", "c"),
                ("Connection", "X-Hop"),
                ("X-Hop", "1"),
            ]))
        let later = CacheBench.start + 30
        let new = Freshening.updated(
            old, by: OriginResponse(head: head, requestTime: later, responseTime: later),
            to: OriginRequest(.get, CacheBench.url))
        let expected = [
            "cache-control": "max-age=60", "content-length": "10", "content-encoding": "gzip",
            "content-type": "image/jpeg", "x-old": "1", "x-two": "c", "date": CacheBench.date(30),
        ]
        let fields = Dictionary(
            new.head.fields.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        #expect(fields == expected)
        #expect(new.head.status == 200)
        #expect(new.id == old.id)
        #expect(new.storedBytes == old.storedBytes)
        #expect(new.responseTime == later)
    }

    @Test func `a 304 with a changed Vary stores the fields of the newer request`() {
        let old = CacheBench.stored([("Vary", "A")], request: [("A", "1")])
        let head = ResponseHead(status: 304, fields: CacheBench.fields([("Vary", "B")]))
        let request = OriginRequest(.get, CacheBench.url, fields: CacheBench.fields([("A", "1"), ("B", "2")]))
        let new = Freshening.updated(
            old, by: OriginResponse(head: head, requestTime: CacheBench.start, responseTime: CacheBench.start),
            to: request)
        #expect(new.requestFields == CacheBench.fields([("B", "2")]))
    }

    @Test(
        arguments: [
            ([], .update), ([("ETag", "\"a\"")], .update), ([("ETag", "W/\"a\"")], .update),
            ([("ETag", "\"b\"")], .invalidate), ([("Last-Modified", CacheBench.date(-100))], .update),
            ([("Last-Modified", CacheBench.date(-99))], .invalidate), ([("Content-Length", "10")], .update),
            ([("Content-Length", "11")], .invalidate), ([("Content-Length", "3000000000")], .invalidate),
            ([("Content-Length", "x")], .update),
        ] as [([(String, String)], HeadUpdate)])
    func `a response to HEAD updates or invalidates a stored response`(fields: [(String, String)], update: HeadUpdate) {
        let head = ResponseHead(status: 200, fields: CacheBench.fields(fields))
        #expect(HeadUpdate.judge(Self.stored[0], head, received: CacheBench.start) == update)
    }
}
