import Base
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of the record of slow and failed requests.
@Suite(.timeLimit(.minutes(1))) struct RequestSamplesTests {
    private static func ids(_ value: JSONValue?) -> [String] { (value?.array ?? []).compactMap { $0["id"]?.string } }

    private static func digest(_ id: String) -> String { PayloadShape.digest(of: id) }

    /// Submits a request that is decided at once, and returns when its result is published.
    private static func submit(
        _ id: String, _ object: JSONObject, to bench: CoordinatorBench, taking time: Duration = .zero
    ) async {
        let submission = bench.submission(id, .call, object)
        bench.clock.advance(by: time)
        _ = await bench.coordinator.submit(submission)
    }

    private static let failing: JSONObject = ["overloaded": true]

    @Test func `the ten slowest requests are reported, the slowest one first`() async throws {
        let bench = CoordinatorBench(records: 100)
        for number in 1...30 {
            await Self.submit("r-\(number)", ["text": true], to: bench, taking: .milliseconds(number * 7 % 31))
        }
        let slowest = bench.coordinator.requestSamples["slowest"]?.array ?? []
        #expect(slowest.count == RequestSamples.most)
        let times = slowest.compactMap { $0["elapsedMs"]?.integer }
        #expect(times == (21...30).reversed())
        #expect(bench.coordinator.requestSamples["failed"] == [])
    }

    @Test func `a failed request is reported with its reason, and for an hour`() async throws {
        let bench = CoordinatorBench(records: 100)
        await Self.submit("bad", Self.failing, to: bench)
        let failed = bench.coordinator.requestSamples["failed"]?.array ?? []
        #expect(failed.count == 1)
        #expect(failed[0]["outcome"] == "fallback")
        #expect(failed[0]["reason"] == "overloaded")
        #expect(failed[0]["id"]?.string == Self.digest("bad"))
        bench.clock.advance(by: .seconds(3_601))
        #expect(bench.coordinator.requestSamples["failed"] == [])
        #expect(bench.coordinator.requestSamples["slowest"] == [])
    }

    @Test func `a flood of failures keeps ten of them, and a rare failure stays`() async throws {
        let bench = CoordinatorBench(records: 2_000)
        let suppressed: JSONObject = ["text": true, "recipient": "blocked"]
        bench.decoder.store("blocked", permits: false, version: 1)
        await Self.submit("rare", suppressed, to: bench)
        for number in 0..<1_000 {
            await Self.submit("flood-\(number)", Self.failing, to: bench, taking: .milliseconds(10))
        }
        let failed = bench.coordinator.requestSamples["failed"]
        #expect(failed?.array?.count == RequestSamples.most)
        #expect(Self.ids(failed).contains(Self.digest("rare")))
    }

    @Test(arguments: ErasureTarget.Kind.allCases) func `an erasure removes its requests from the record`(
        _ kind: ErasureTarget.Kind
    ) async throws {
        let bench = CoordinatorBench(records: 100)
        let erased: JSONObject = [
            "overloaded": true, "recipient": "anna", "providerId": "message-1", "thread": "chat-1",
        ]
        let other: JSONObject = ["overloaded": true, "recipient": "berta", "providerId": "message-2"]
        await Self.submit("erased", erased, to: bench, taking: .milliseconds(5))
        await Self.submit("other", other, to: bench, taking: .milliseconds(5))
        let name =
            switch kind {
            case .id: "erased"
            case .providerID: "message-1"
            case .thread: "chat-1"
            case .recipient: "anna"
            case .group: ""
            }
        var step = ErasureStep(ErasureTarget(group: .default, kind: kind, name: name))
        if kind == .recipient { step.recipientNames = ["anna"] }
        // The lists of the journal may not have the request any more.
        if kind == .thread { step.keys = [try bench.key("erased")] }
        _ = try await bench.coordinator.erase(step)
        let rest = kind == .group ? [] : [Self.digest("other")]
        #expect(Self.ids(bench.coordinator.requestSamples["failed"]) == rest)
        #expect(Self.ids(bench.coordinator.requestSamples["slowest"]) == rest)
    }

    @Test func `a scenario has no text, no name and no secret of its request`() async throws {
        let bench = CoordinatorBench(records: 100)
        let payload: JSONObject = [
            "overloaded": true, "recipient": "Rosenrot", "providerId": "Quittengelb", "thread": "Eisvogel",
            "labels": ["Nachtigall"],
            "aps": ["alert": ["title": "Distelfink", "body": "Zaunkönig"]],
            "url": "https://anna:Blaumeise@media.example.com/Kleiber.jpg?key=Amsel",
        ]
        await Self.submit("Steinadler", payload, to: bench)
        let text = JSONWriter.text(of: bench.coordinator.requestSamples)
        for secret in [
            "Rosenrot", "Quittengelb", "Eisvogel", "Nachtigall", "Distelfink", "Zaunkönig", "Blaumeise", "Kleiber",
            "Amsel", "Steinadler", "anna",
        ] {
            #expect(!text.contains(secret), "\(secret): \(text)")
        }
        #expect(text.contains("https://media.example.com/"))
    }

    @Test func `the last results have their times and their slack until the deadlines`() async throws {
        let bench = CoordinatorBench(records: 100)
        for number in 1...20 {
            await Self.submit("r-\(number)", ["text": true], to: bench, taking: .milliseconds(100))
        }
        await Self.submit("late", ["text": true], to: bench, taking: .seconds(31))
        let recent = bench.coordinator.recentResults
        #expect(recent["emitted"] == 21)
        #expect(recent["late"] == 1)
        let p50 = try #require(recent["elapsedMs"]["p50"]?.double)
        #expect((100...120).contains(p50))
        let slack = try #require(recent["slackMs"]["p5"]?.double)
        #expect((24_000...29_900).contains(slack))
        bench.clock.advance(by: .seconds(300))
        #expect(bench.coordinator.recentResults["emitted"] == 0)
    }
}
