import Base
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

/// Tests of the fields that explain a result, and of the wait for a result.
@Suite(.timeLimit(.minutes(1))) struct ExplainedAnswerTests {
    private static let json = #"""
        {"verdicts":[{"stages":[{"name":"connect","ms":1.5},{"name":"queue","ms":0.5}]},
         {"stages":[{"name":"queue","ms":2.0},{"name":"wait","ms":30.25},{"name":"queue","ms":1.0}]},{"stages":[]}],
         "timing":{"budgetMs":2000,"elapsedMs":380}}
        """#

    @Test func `the parts are the stages of the slowest media item, each once`() throws {
        let timing = try #require(ResultTiming(JSONParser.value(of: Self.json)))
        #expect(timing.parts.map(\.name) == ["queue", "wait"])
        #expect(timing.parts.map(\.milliseconds) == [3, 30.25])
        #expect(timing.slack == 1.62)
    }

    @Test func `a result that the journal returns has the same fields, apart from compose`() {
        let key = FakeCoordinator.key("a")
        let response = Response.content(
            EmittedContent(key: key, outcome: .rich, reason: nil, json: Array(Self.json.utf8)))
        #expect(response.headers[.serverTiming] == "queue;dur=3.0, wait;dur=30.3")
        #expect(response.headers[.slack] == "1.62")
    }

    @Test func `a late result has a negative slack, and other JSON has no such fields`() throws {
        let late: JSONValue = ["verdicts": [], "timing": ["budgetMs": 1_000, "elapsedMs": 1_010]]
        #expect(try #require(ResultTiming(late)).slack == -0.01)
        #expect(ResultTiming(["timing": [:]]) == nil && ResultTiming(.null) == nil)
    }

    @Test(
        arguments: [
            ("0s", 200), ("2s", 200), ("500ms", 200), ("1.5s", 200), ("1h", 200), ("61m", 400), ("2", 400),
            ("-1s", 400),
            ("", 400), ("s", 400),
        ])
    func `wait is a time of at most an hour`(_ wait: String, _ status: Int) async throws {
        let key = FakeCoordinator.key("a")
        let coordinator = FakeCoordinator()
        coordinator.set(.emitted(FakeCoordinator.content(of: key)), of: key)
        try await ServerBench.run(coordinator: coordinator) { bench in
            let answer = try await bench.send("GET", "/v1/notifications/a?wait=\(wait)")
            #expect(answer.status == status)
        }
    }

    @Test func `a call waits for the result, and gets the state if it comes too late`() async throws {
        let clock = ManualClock()
        let key = FakeCoordinator.key("a")
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: key)
        try await ServerBench.run(coordinator: coordinator, clock: clock) { bench in
            async let late = bench.send("GET", "/v1/notifications/a?wait=2s")
            await coordinator.wait { $0.waits == 1 }
            clock.advance(by: .seconds(2))
            let state = try await late.json?["state"]?.string
            #expect(state == "running")
            async let inTime = bench.send("GET", "/v1/notifications/a?wait=2s")
            await coordinator.wait { $0.waits == 1 }
            coordinator.emit(key)
            let outcome = try await inTime.json?["outcome"]?.string
            #expect(outcome == "rich")
            let unknown = try await bench.send("GET", "/v1/notifications/b?wait=2s")
            #expect(unknown.status == 404)
        }
    }

    @Test func `a repeated call says that its result belongs to an earlier call`() async throws {
        let key = FakeCoordinator.key("a")
        let content = FakeCoordinator.content(of: key)
        for (admission, isReplayed) in [(Admission.emitted(content), nil), (.joined(key), "true")]
            as [(Admission, String?)]
        {
            let coordinator = FakeCoordinator { _ in admission }
            coordinator.set(.emitted(content), of: key)
            try await ServerBench.run(coordinator: coordinator) { bench in
                for fields in [["Idempotency-Key: a"], ["Idempotency-Key: a", "Prefer: respond-async"]] {
                    let answer = try await bench.send("POST", "/v1/notifications", fields, body: "{}")
                    #expect([200, 202].contains(answer.status) && answer["idempotency-replayed"] == isReplayed)
                }
            }
        }
    }

    @Test func `an event filter admits the group, the outcome and the request that it names`() {
        func event(_ kind: RequestEvent.Kind, group: String = "group.default") -> RequestEvent {
            RequestEvent(
                id: "1", kind: kind, key: FakeCoordinator.key("a", in: group), date: Date(), elapsed: .zero)
        }
        let rich = RequestEvent.Kind.emitted(.rich, nil)
        #expect(EventFilter().admits(event(.accepted)) && EventFilter().admits(event(rich)))
        let outcomes = EventFilter(outcomes: [.fallback, .rich])
        #expect(outcomes.admits(event(rich)) && !outcomes.admits(event(.accepted)))
        #expect(!outcomes.admits(event(.emitted(.expired, .expired))))
        let group = EventFilter(group: AppGroupName("group.other"))
        #expect(!group.admits(event(rich)) && group.admits(event(rich, group: "group.other")))
        let key = EventFilter(key: FakeCoordinator.key("b"))
        #expect(!key.admits(event(rich)))
    }
}
