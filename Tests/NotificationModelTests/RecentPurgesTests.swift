import NotificationModel
import Testing

/// Tests of purges while requests are in progress.
@Suite struct RecentPurgesTests {
    private let purges = RecentPurges()

    @Test func `a URL counts as purged only for requests that began before the purge`() {
        let before = purges.mark
        #expect(!purges.havePurged(["a"], since: before))
        purges.note { $0 == "a" }
        #expect(purges.havePurged(["b", "a"], since: before))
        #expect(!purges.havePurged(["b"], since: before))
        #expect(!purges.havePurged(["a"], since: purges.mark))
    }

    @Test func `a later purge of another URL does not hide an earlier purge`() {
        let before = purges.mark
        purges.note { $0 == "a" }
        let between = purges.mark
        purges.note { $0 == "b" }
        #expect(purges.havePurged(["a"], since: before))
        #expect(!purges.havePurged(["a"], since: between))
        #expect(purges.havePurged(["b"], since: between))
    }

    @Test func `all URLs count as purged for a request that began before the oldest remembered purge`() {
        let before = purges.mark
        for _ in 0..<64 { purges.note { _ in false } }
        #expect(!purges.havePurged(["a"], since: before))
        purges.note { _ in false }
        #expect(purges.havePurged(["a"], since: before))
        #expect(!purges.havePurged([], since: before))
    }
}
