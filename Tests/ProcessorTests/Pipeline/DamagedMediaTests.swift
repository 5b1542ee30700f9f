import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of images that are damaged at their origin, and are shown as far as they can be decoded.
@Suite(.timeLimit(.minutes(1))) struct DamagedMediaTests {
    private static let url = "https://a.example/1"
    private static let payload = #"{"aps":{"alert":"B"},"media":[{"url":"https://a.example/1"}]}"#
    private static let damage = "damaged: 81 % of the rows"

    private func bench(_ transcoder: FakeTranscoder, _ rules: PayloadRules = PayloadRules()) -> PipelineBench {
        PipelineBench(
            [Self.url: .stored(.hit, identity: "body-7", isStored: true)], transcoder: transcoder, rules: rules)
    }

    @Test func `a damaged image is shown, and each verdict names the damage`() async throws {
        let transcoder = FakeTranscoder(damages: [Self.url: Self.damage], types: [Self.url: "image/jpeg"])
        let bench = bench(transcoder)
        for _ in 0..<2 {
            try await bench.process(bench.request(Self.payload))
            let notification = try #require(bench.emissions.last)
            #expect(notification.outcome == .rich && notification.reason == nil)
            let verdict = JSONNode(notification.json)["verdicts"][0]
            #expect(verdict["result"].string == "shown" && verdict["reason"].string == nil)
            #expect(verdict["detail"].string == Self.damage)
            #expect(verdict["unError"].integer == 105)
        }
        // The second result uses the stored renditions of the first one.
        #expect(transcoder.calls.count == 1)
        #expect(bench.store.remembered.values.map(\.damage) == [Self.damage])
        #expect(bench.store.records.flatMap(\.attachments).map(\.damage) == [Self.damage, Self.damage])
    }

    @Test func `a request that refuses damaged media does not reuse a rendition of a damaged image`() async throws {
        let transcoder = FakeTranscoder(damages: [Self.url: Self.damage])
        let shown = bench(transcoder)
        try await shown.process(shown.request(Self.payload))
        var rules = PayloadRules()
        rules.media.damaged = .refuse
        let refusing = bench(transcoder, rules)
        try await refusing.process(refusing.request(Self.payload))
        #expect(transcoder.calls.map(\.form.damaged) == [.show, .refuse])
        let recipes = Set((shown.store.remembered.keys + Array(refusing.store.remembered.keys)).map(\.recipe))
        #expect(recipes.count == 2)
    }
}
