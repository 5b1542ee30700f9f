import Base
import NotificationModel
import Testing

@testable import MediaFetcher

@Suite struct NegativeCacheTests {
    private let start = MonotonicInstant.now

    @Test(arguments: DegradationReason.allCases)
    func `each class of failures has its own lifetime`(_ reason: DegradationReason) {
        let expected: Duration? =
            switch reason {
            case .dnsFailed, .connectFailed, .tlsFailed: .seconds(2)
            case .tooLarge, .unsupportedMedia, .redirectRefused: .seconds(60)
            default: nil
            }
        #expect(NegativeCache<String>.lifetime(of: MediaFailure(reason, ""), status: nil) == expected)
    }

    @Test(arguments: [(404, nil), (429, 2), (500, 2), (503, 2), (403, nil)] as [(Int, Int?)])
    func `a status 429, 500 or 503 is cached for two seconds, and a status 403 or 404 is not cached`(
        _ status: Int, _ seconds: Int?
    ) {
        let failure = MediaFailure(.httpStatus, "")
        #expect(NegativeCache<String>.lifetime(of: failure, status: status) == seconds.map { .seconds($0) })
    }

    @Test func `the detail of a cached failure has the age of the failure until the failure expires`() {
        var cache = NegativeCache<String>()
        cache.note(MediaFailure(.connectFailed, "refused"), status: nil, for: "a", at: start)
        #expect(cache.failure(for: "a", at: start + .seconds(1))?.detail == "refused (found out 1.0 s ago)")
        #expect(cache.failure(for: "a", at: start + .seconds(2)) == nil)
        #expect(cache.failure(for: "b", at: start) == nil)
    }

    @Test func `the cache has a limited number of entries`() {
        var cache = NegativeCache<Int>()
        for number in 0..<25_000 { cache.note(MediaFailure(.tooLarge, ""), status: nil, for: number, at: start) }
        #expect(cache.count <= NegativeCache<Int>.maxEntries)
        #expect(cache.failure(for: 24_999, at: start) != nil)
    }
}
