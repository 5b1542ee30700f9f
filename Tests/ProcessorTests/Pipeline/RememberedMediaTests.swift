import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests that renditions of a file in the HTTP cache are not made again after a restart. Renditions of other files are
/// made again.
@Suite(.timeLimit(.minutes(1))) struct RememberedMediaTests {
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#

    private static func stored(_ cache: CacheStatus, isStored: Bool = true) -> [String: FakeFetcher.Answer] {
        ["https://a.example/1": .stored(cache, identity: "body-7", isStored: isStored)]
    }

    private func process(_ bench: PipelineBench) async throws -> NotificationAttachment? {
        try await bench.process(bench.request(Self.payload)).first?.attachments.first
    }

    @Test(arguments: [CacheStatus.hit, .revalidated, .stale])
    func `a later run reuses the stored renditions of the first run`(cache: CacheStatus) async throws {
        let first = PipelineBench(Self.stored(.miss))
        let made = try #require(try await process(first))
        #expect(first.store.remembered.keys.map(\.identity) == ["body-7"])
        let second = PipelineBench(Self.stored(cache), store: first.store)
        let found = try #require(try await process(second))
        #expect(second.transcoder.calls.isEmpty)
        #expect(found.asset == made.asset && found.thumbnail == made.thumbnail && found.cache == cache)
    }

    @Test func `renditions are not stored for reuse if the HTTP cache does not store their source file`() async throws {
        let bench = PipelineBench(Self.stored(.miss, isStored: false))
        _ = try await process(bench)
        #expect(bench.store.remembered.isEmpty)
    }

    @Test func `a request with another profile gets separate renditions`() async throws {
        let first = PipelineBench(Self.stored(.miss))
        _ = try await process(first)
        let second = PipelineBench(Self.stored(.hit), store: first.store)
        try await second.process(second.request(Self.payload) { $0.profile = .watch })
        #expect(second.transcoder.calls.map(\.form) == [MediaProfile.watch.attachment])
    }

    @Test func `a rendition with a missing file is made again`() async throws {
        let first = PipelineBench(Self.stored(.miss))
        _ = try await process(first)
        first.store.forget()
        let second = PipelineBench(Self.stored(.hit), store: first.store)
        #expect(try await process(second) != nil)
        #expect(second.transcoder.calls.count == 1)
    }

    /// The slow request searches the store before the other request begins. The search ends without a result after the
    /// other request has ended.
    @Test func `a request uses renditions that another request has stored since the search`() async throws {
        let gate = Gate()
        let bench = PipelineBench(
            [
                "https://a.example/1": .stored(.miss, identity: "body-7", isStored: true),
                "https://a.example/2": .stored(.hit, identity: "body-7", isStored: true),
            ], store: FakeStore(remembersBehind: gate))
        let slow = bench.start(
            try bench.request(#"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/2"}]}"#))
        bench.executor.turn()
        #expect(gate.isAwaited && bench.transcoder.calls.isEmpty)
        let made = try #require(try await process(bench))
        gate.open()
        let found = try await slow.value
        #expect(bench.transcoder.calls.count == 1)
        #expect(found.last?.attachments.map(\.asset) == [made.asset])
    }
}
