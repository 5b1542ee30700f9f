import FoundationEssentials
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of media that are prepared before their notifications are sent.
@Suite(.timeLimit(.minutes(1))) struct WarmingTests {
    private static let payload = #"{"title":"t","media":[{"url":"https://a.example/1"},{"url":"https://a.example/2"}]}"#
    private static let missing = MediaFailure(.httpStatus, "the origin answered 404")

    @Test func `warming returns a result for each media item, emits no result and records no message`() async throws {
        let bench = PipelineBench(["https://a.example/2": .failure(Self.missing)])
        let warmed = await bench.warm(try bench.request(Self.payload))
        #expect(warmed.map(\.url) == ["https://a.example/1", "https://a.example/2"])
        #expect(warmed.map(\.failure) == [nil, Self.missing])
        #expect(bench.emissions.isEmpty)
        #expect(bench.store.records.isEmpty)
        #expect(bench.store.pinned.isEmpty)
    }

    @Test(arguments: [#"{"aps":{"alert":"x"}}"#, #"{"title":"t","media":[]}"#])
    func `warming of a payload without media ends at once`(_ payload: String) async throws {
        let bench = PipelineBench()
        #expect(await bench.warm(try bench.request(payload)).isEmpty)
    }

    @Test func `a warming request ends at once without permission for the service`() async throws {
        let bench = PipelineBench()
        let warmed = await bench.warm(try bench.request(Self.payload) { $0.permissions.service = false })
        #expect(warmed.allSatisfy { $0.failure != nil })
        #expect(bench.fetcher.calls.isEmpty)
    }

    @Test func `a pinned media item is shown without a fetch`() async throws {
        let bench = PipelineBench()
        let until = bench.clock.date.addingTimeInterval(86_400)
        let warmed = await bench.warm(try bench.request(Self.payload), keepUntil: until)
        #expect(warmed.allSatisfy { $0.failure == nil })
        #expect(Set(bench.store.pinned.keys.map(\.url)) == ["https://a.example/1", "https://a.example/2"])
        let fetches = bench.fetcher.calls.count
        let shown = try #require(try await bench.process(bench.request(Self.payload)).first)
        #expect(shown.outcome == .rich)
        #expect(shown.attachments.map(\.cache) == [.hit, .hit])
        #expect(bench.fetcher.calls.count == fetches)
    }

    @Test func `a media item that is pinned for one profile is fetched for another profile`() async throws {
        let bench = PipelineBench()
        _ = await bench.warm(try bench.request(Self.payload), keepUntil: bench.clock.date.addingTimeInterval(60))
        let fetches = bench.fetcher.calls.count
        try await bench.process(bench.request(Self.payload) { $0.profile = .watch })
        #expect(bench.fetcher.calls.count > fetches)
    }

    @Test func `pinned media are not shown without permission for downloads`() async throws {
        let bench = PipelineBench()
        _ = await bench.warm(try bench.request(Self.payload), keepUntil: bench.clock.date.addingTimeInterval(60))
        let request = try bench.request(Self.payload) { $0.permissions.download = false }
        let shown = try #require(try await bench.process(request).first)
        #expect(shown.reasons == [.downloadNotPermitted, .downloadNotPermitted])
    }

    @Test func `a reduced rendition is not pinned`() async throws {
        let reduction = MediaReduction(.smaller, "it is smaller")
        let bench = PipelineBench(
            transcoder: FakeTranscoder(reductions: ["https://a.example/1": [reduction]]))
        let warmed = await bench.warm(
            try bench.request(#"{"title":"t","media":[{"url":"https://a.example/1"}]}"#),
            keepUntil: bench.clock.date.addingTimeInterval(60))
        #expect(warmed.map(\.failure?.reason) == [.budgetExceeded])
        #expect(bench.store.pinned.isEmpty)
    }

    @Test func `a media item that cannot be pinned fails with storage-failed`() async throws {
        let bench = PipelineBench(store: FakeStore(broken: .pin))
        let warmed = await bench.warm(
            try bench.request(#"{"title":"t","media":[{"url":"https://a.example/1"}]}"#),
            keepUntil: bench.clock.date.addingTimeInterval(60))
        #expect(warmed.map(\.failure?.reason) == [.storageFailed])
    }

    @Test func `notifications get connections and workers before warming jobs`() async throws {
        let bench = PipelineBench()
        _ = await bench.warm(try bench.request(#"{"title":"t","media":[{"url":"https://a.example/1"}]}"#))
        try await bench.process(
            bench.request(#"{"title":"t","media":[{"url":"https://a.example/2"}]}"#) { $0.priority = 1 })
        #expect(bench.fetcher.calls.map(\.rank) == [0, 3])
        #expect(bench.transcoder.flows.map(\.priority) == [0, 3])
    }

    @Test func `a notification that waits for a rendition of warming raises the priority of the job`() async throws {
        let gate = Gate()
        let bench = PipelineBench(
            ["https://a.example/1": .stored(.hit, identity: "body-7", isStored: true)],
            transcoder: FakeTranscoder(behind: gate))
        let payload = #"{"title":"t","media":[{"url":"https://a.example/1"}]}"#
        let warm = try bench.request(payload)
        async let warmed = bench.warm(warm)
        try await wait(for: "the job of the warming") { bench.transcoder.calls.count == 1 }
        let alert = try bench.request(payload)
        async let shown = bench.process(alert)
        try await wait(for: "the raise of its permit") {
            bench.transcoder.ranks == [MediaRank.standard, MediaRank.standard]
        }
        gate.open()
        #expect(await warmed.map(\.failure) == [nil])
        #expect(try await shown.map(\.outcome) == [.rich])
    }
}
