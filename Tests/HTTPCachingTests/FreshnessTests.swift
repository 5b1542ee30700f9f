import FoundationEssentials
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.2.
struct FreshnessTests {
    @Test(
        arguments: [
            ([("Cache-Control", "max-age=60")], 60), ([("Cache-Control", "max-age=0")], 0),
            ([("Cache-Control", "max-age=x"), ("Expires", CacheBench.date(90))], 0),
            ([("Cache-Control", "max-age=60"), ("Expires", CacheBench.date(90))], 60),
            ([("Cache-Control", "max-age=60"), ("Expires", "0")], 60),
            ([("Cache-Control", "s-maxage=600, max-age=60")], 60),
            ([("Cache-Control", "s-maxage=600")], 0),
            ([("CDN-Cache-Control", "max-age=600"), ("Surrogate-Control", "max-age=600")], 0),
            ([("Date", CacheBench.date(0)), ("Expires", CacheBench.date(90))], 90),
            ([("Date", CacheBench.date(100)), ("Expires", CacheBench.date(90))], 0),
            ([("Expires", CacheBench.date(90))], 90),
            ([("Date", "yesterday"), ("Expires", CacheBench.date(90))], 90),
            ([("Expires", "0")], 0), ([("Expires", "")], 0), ([("Expires", "-1")], 0),
            ([("Expires", CacheBench.date(90)), ("Expires", CacheBench.date(5))], 90),
            ([("Expires", "0"), ("Last-Modified", CacheBench.date(-1_000))], 0),
            // The heuristic lifetime is a tenth of the time since the modification, at most one day.
            ([("Last-Modified", CacheBench.date(-1_000))], 100),
            ([("Date", CacheBench.date(-500)), ("Last-Modified", CacheBench.date(-1_000))], 50),
            // A `Date` in the future does not prolong the lifetime.
            ([("Date", CacheBench.date(9_000)), ("Last-Modified", CacheBench.date(-1_000))], 100),
            ([("Last-Modified", CacheBench.date(-10_000_000))], 86_400),
            ([("Last-Modified", CacheBench.date(10))], 0), ([("Last-Modified", "0")], 0),
            ([], 0),
        ] as [([(String, String)], Double)])
    func `the lifetime is the explicit lifetime, or the heuristic lifetime if no lifetime is explicit`(
        fields: [(String, String)], seconds: Double
    ) {
        let head = ResponseHead(status: 200, fields: CacheBench.fields(fields))
        let policy = CachingPolicy()
        #expect(Freshness.lifetime(of: head, received: CacheBench.start, policy: policy) == seconds)
    }

    @Test(
        arguments: [
            (200, 100), (203, 100), (204, 100), (206, 100), (300, 100), (301, 100), (308, 100), (404, 100), (405, 100),
            (410, 100), (414, 100), (501, 100), (201, 0), (302, 0), (303, 0), (307, 0), (400, 0), (403, 0), (500, 0),
            (502, 0), (503, 0), (504, 0), (599, 0),
        ] as [(Int, Double)])
    func `only some statuses have a heuristic lifetime`(status: Int, seconds: Double) {
        var fields = [("Last-Modified", CacheBench.date(-1_000))]
        var head = ResponseHead(status: status, fields: CacheBench.fields(fields))
        #expect(Freshness.lifetime(of: head, received: CacheBench.start, policy: CachingPolicy()) == seconds)
        fields.append(("Cache-Control", "public"))
        head.fields = CacheBench.fields(fields)
        #expect(Freshness.lifetime(of: head, received: CacheBench.start, policy: CachingPolicy()) == 100)
    }

    @Test(
        arguments: [
            ([], 200, 300), ([("Last-Modified", CacheBench.date(-1_000))], 200, 300),
            ([("Last-Modified", CacheBench.date(-10_000))], 200, 1_000), ([("Cache-Control", "max-age=5")], 200, 5),
            ([("Expires", "0")], 200, 0), ([], 404, 300), ([], 403, 0),
        ] as [([(String, String)], Int, Double)])
    func `a response without a lifetime has the default lifetime`(
        fields: [(String, String)], status: Int, seconds: Double
    ) {
        let head = ResponseHead(status: status, fields: CacheBench.fields(fields))
        let policy = CachingPolicy(defaultFreshness: 300)
        #expect(Freshness.lifetime(of: head, received: CacheBench.start, policy: policy) == seconds)
    }

    @Test(
        arguments: [
            ([], 7), ([("Age", "30")], 37), ([("Age", "30, 90")], 37), ([("Age", "30"), ("Age", "90")], 37),
            ([("Age", "-30")], 7), ([("Age", "30.5")], 7), ([("Age", "abc, 30")], 7), ([("Age", "")], 7),
            ([("Age", "99999999999999999999")], 2_147_483_655),
            ([("Date", CacheBench.date(0))], 7), ([("Date", CacheBench.date(-100))], 107),
            ([("Date", CacheBench.date(100))], 7), ([("Date", "x")], 7),
            ([("Date", CacheBench.date(-100)), ("Age", "300")], 307),
        ] as [([(String, String)], Double)])
    func `the age is the greater of the Age field and the apparent age`(fields: [(String, String)], seconds: Double) {
        let stored = CacheBench.stored(fields)
        #expect(Freshness.age(of: stored, now: CacheBench.start + 7) == seconds)
    }

    @Test func `the transfer time increases the age, and a clock that is set back does not increase the age`() {
        var stored = CacheBench.stored([("Age", "30"), ("Date", CacheBench.date(-3))])
        stored.requestTime = CacheBench.start - 5
        #expect(Freshness.age(of: stored, now: CacheBench.start + 2) == 37)
        #expect(Freshness.age(of: stored, now: CacheBench.start - 1_000) == 35)
    }

    @Test func `a response is stale when its age reaches its lifetime`() {
        #expect(!Freshness(lifetime: 10, age: 10).isFresh)
        #expect(Freshness(lifetime: 10, age: 9.9).isFresh)
        #expect(Freshness(lifetime: 10, age: 15).staleness == 5)
        #expect(Freshness(lifetime: 10, age: 5).staleness == 0)
    }
}
