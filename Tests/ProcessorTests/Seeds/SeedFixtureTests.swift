import Authentication
import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the behaviours in the seed documents. A fixture has a request, and the part of the content that shows the
/// behaviour.
@Suite(.timeLimit(.minutes(1))) struct SeedFixtureTests {
    @Test(arguments: try SeedFixture.all())
    func `a request of the seeds has the expected content`(fixture: SeedFixture) throws {
        var rules = PayloadRules(mediaURLs: MediaURLs(base: "https://push.example.com"))
        rules.forwardedTexts = fixture.says
        let still = MediaReduction(.still, "the budget left time only for a still")
        let transcoder = FakeTranscoder(
            reductions: fixture.media.filter { $0.value == .still }.mapValues { _ in [still] })
        let bench = PipelineBench(
            fixture.media.compactMapValues(Self.answer), transcoder: transcoder, rules: rules)
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let (request, error) = reader.request(
            from: Submission(object: fixture.request, arrival: bench.clock.reading, weakID: RequestID(fixture.name)))
        #expect(bench.clock.date == SeedFixture.now)
        #expect(error == nil)
        Self.keep(fixture, of: request, in: bench.store)
        _ = bench.start(request)
        bench.executor.turn()
        if fixture.delay > .zero {
            #expect(bench.emissions.isEmpty)
            bench.turn(to: request.budget.received + fixture.delay)
        }
        try #require(bench.emissions.count == 1)
        let content = bench.emissions[0].json
        #expect(content.differences(from: fixture.expected) == [], "\(JSONWriter.text(of: content))")
    }

    @Test func `at least thirty behaviours have a fixture, and most of them have several requests`() throws {
        let fixtures = try SeedFixture.all()
        #expect(fixtures.count >= 30)
        #expect(Set(fixtures.map(\.request).map { JSONWriter.text(of: .object($0)) }).count > fixtures.count / 2)
    }

    private static func answer(_ ending: SeedFixture.Ending) -> FakeFetcher.Answer? {
        switch ending {
        case .missing: .failure(MediaFailure(.httpStatus, "the origin answered 404"))
        case .stalled: .stalls
        case .kept, .still: nil
        }
    }

    /// Stores the renditions that an earlier push of the same message would have stored.
    private static func keep(_ fixture: SeedFixture, of request: NotificationRequest, in store: FakeStore) {
        let reading = DialectTable.standard.read(request.payload)
        for item in reading.media where fixture.media[item.url] == .kept {
            let recipe = RenditionRecipe(request.profile.form(of: item.role), item.options)
            let type = item.role == .mask ? MediaFormat.png : .mp4
            let info = RenditionInfo(kind: .attachment, type: type, byteCount: 9, width: 64, height: 48)
            store.keep(
                StoredRenditions(
                    assets: [StoredAsset(info: info, sha256: "ab", path: "media/ab/ab.png")],
                    sourceType: item.role == .mask ? "image/png" : "video/mp4",
                    sourceByteCount: 70),
                as: PrefetchKey(providerID: reading.providerID ?? "", url: item.url, recipe: recipe))
        }
    }
}
