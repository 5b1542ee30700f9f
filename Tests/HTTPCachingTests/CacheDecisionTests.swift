import FoundationEssentials
import HTTPTypes
import Testing

@testable import HTTPCaching

/// The tests of RFC 9111 §4.2.4 and §5.2 and of RFC 5861.
struct CacheDecisionTests {
    @Test(
        arguments: [
            ("max-age=60", "", 10, .fresh), ("max-age=60", "", 60, .validate),
            ("max-age=60, no-cache", "", 10, .validate),
            ("max-age=60, no-cache=\"a\"", "", 10, .fresh), ("max-age=60, must-revalidate", "", 10, .fresh),
            ("max-age=60, private", "", 10, .fresh), ("max-age=60, immutable", "no-cache", 10, .validate),
            // These requests restrict or extend the use of stored responses.
            ("max-age=60", "no-cache", 10, .validate), ("max-age=60", "max-age=0", 0, .validate),
            ("max-age=60", "max-age=5", 10, .validate), ("max-age=60", "max-age=10", 10, .fresh),
            ("max-age=60", "max-age=x", 10, .validate), ("max-age=60", "min-fresh=50", 10, .fresh),
            ("max-age=60", "min-fresh=51", 10, .validate), ("max-age=60", "max-stale", 70, .stale),
            ("max-age=60", "max-stale=10", 70, .stale), ("max-age=60", "max-stale=9", 70, .validate),
            ("max-age=60", "max-stale=x", 70, .validate), ("max-age=60", "max-stale=99, max-age=65", 70, .validate),
            ("max-age=60", "max-stale=99, min-fresh=1", 70, .validate),
            ("max-age=60, must-revalidate", "max-stale", 70, .validate),
            ("max-age=60, no-cache", "max-stale", 70, .validate),
            ("max-age=60", "only-if-cached", 10, .fresh), ("max-age=60", "only-if-cached", 70, .validate),
            // These responses may be used while they are validated (RFC 5861 §3).
            ("max-age=60, stale-while-revalidate=10", "", 70, .staleWhileRevalidating),
            ("max-age=60, stale-while-revalidate=10", "", 71, .validate),
            ("max-age=60, stale-while-revalidate=10", "", 50, .fresh),
            ("max-age=60, stale-while-revalidate=x", "", 70, .validate),
            ("max-age=60, stale-while-revalidate=10, must-revalidate", "", 70, .validate),
            ("max-age=60, stale-while-revalidate=10", "no-cache", 70, .validate),
            ("max-age=60, stale-if-error=10", "", 70, .validate),
        ] as [(String, String, Double, CacheDecision)])
    func `the directives of the request and the response decide the use of a stored response`(
        responseDirectives: String, asked: String, age: Double, reuse: CacheDecision
    ) {
        let stored = CacheBench.stored([("Cache-Control", responseDirectives)])
        let request = asked.isEmpty ? [] : [("Cache-Control", asked)]
        let now = CacheBench.start + age
        let judged = CacheDecision.judge(stored, CacheBench.fields(request), now: now, policy: CachingPolicy())
        #expect(judged == reuse)
    }

    @Test func `a clock that jumps does not prolong the freshness of a response`() {
        let stored = CacheBench.stored([("Cache-Control", "max-age=600")])
        func judged(_ age: Double) -> CacheDecision {
            CacheDecision.judge(stored, [:], now: CacheBench.start + age, policy: CachingPolicy())
        }
        for (age, decision) in [
            (10.0, .fresh), (86_400 * 365, .validate), (10, .fresh), (-60, .fresh), (-61, .validate),
            (-86_400 * 365, .validate), (599, .fresh), (600, .validate),
        ] as [(Double, CacheDecision)] {
            #expect(judged(age) == decision, "\(age)")
        }
    }

    @Test(
        arguments: [
            ([("Pragma", "no-cache")], .validate), ([("Pragma", "x, No-Cache")], .validate),
            ([("Pragma", "x")], .fresh),
            ([("Pragma", "no-cache"), ("Cache-Control", "max-age=99")], .fresh),
        ] as [([(String, String)], CacheDecision)])
    func `a request with Pragma no-cache and without Cache-Control demands validation`(
        request: [(String, String)], reuse: CacheDecision
    ) {
        let stored = CacheBench.stored([("Cache-Control", "max-age=60"), ("Pragma", "no-cache")])
        let judged = CacheDecision.judge(
            stored, CacheBench.fields(request), now: CacheBench.start + 1, policy: CachingPolicy())
        #expect(judged == reuse)
    }

    @Test(
        arguments: [
            ("max-age=60", "", 100, true), ("max-age=60", "", 1_060, true), ("max-age=60", "", 1_061, false),
            ("max-age=60, must-revalidate", "", 100, false), ("max-age=60, no-cache", "", 100, false),
            ("max-age=60, no-cache=\"a\"", "", 100, true),
            ("max-age=60, proxy-revalidate, s-maxage=1", "", 100, true),
            ("max-age=60, stale-if-error=40", "", 100, true), ("max-age=60, stale-if-error=39", "", 100, false),
            ("max-age=60, stale-if-error=5000", "", 2_000, true),
            ("max-age=60, stale-if-error=5000, must-revalidate", "", 100, false),
            ("max-age=60", "stale-if-error=40", 100, true), ("max-age=60", "stale-if-error=39", 100, false),
            ("max-age=60, stale-if-error=1", "stale-if-error=40", 100, true),
            ("max-age=60", "no-cache", 100, false), ("max-age=60", "max-age=10", 100, false),
            ("max-age=60", "min-fresh=1", 100, false), ("max-age=60", "max-stale=1", 100, true),
        ])
    func `the directives decide whether a stale response replaces an error of the origin`(
        responseDirectives: String, asked: String, age: Double, isUsable: Bool
    ) {
        let stored = CacheBench.stored([("Cache-Control", responseDirectives)])
        let request = asked.isEmpty ? [] : [("Cache-Control", asked)]
        let policy = CachingPolicy(staleOnError: 1_000)
        let judged = CacheDecision.isUsableOnError(
            stored, CacheBench.fields(request), now: CacheBench.start + age, policy: policy)
        #expect(judged == isUsable)
    }

    @Test func `a stored error never replaces an error, and staleOnError 0 allows no stale response`() {
        let policy = CachingPolicy(staleOnError: 0)
        let now = CacheBench.start + 100
        let good = CacheBench.stored([("Cache-Control", "max-age=60")])
        #expect(!CacheDecision.isUsableOnError(good, [:], now: now, policy: policy))
        let bad = CacheBench.stored([("Cache-Control", "max-age=60")], status: 503)
        #expect(!CacheDecision.isUsableOnError(bad, [:], now: now, policy: CachingPolicy()))
    }
}
