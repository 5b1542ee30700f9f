import Base
import NotificationModel
import Testing

@testable import HTTPAPI

/// Tests of the routes `GET /v1/hosts`, `GET /v1/samples` and `GET /v1/status` with the reports of the daemon's parts.
@Suite(.timeLimit(.minutes(1))) struct ReportTests {
    private static func report(_ facts: inout DaemonFacts) {
        facts.recent = { ["emitted": 3] }
        facts.workers = { ["busy": 1] }
        facts.hosts = { order, most in ["sort": .string(order.rawValue), "most": .number(most)] }
        facts.samples = { ["slowest": [], "failed": []] }
    }

    @Test func `a report is returned with its order and its length`() async throws {
        try await ServerBench.run(report: Self.report) { bench in
            let usual = try await bench.send("GET", "/v1/hosts")
            #expect(usual.json == ["sort": "requests", "most": 20])
            let chosen = try await bench.send("GET", "/v1/hosts?sort=slow&limit=100")
            #expect(chosen.json == ["sort": "slow", "most": 100])
            let samples = try await bench.send("GET", "/v1/samples")
            #expect(samples.json == ["slowest": [], "failed": []])
            let status = try await bench.send("GET", "/v1/status")
            #expect(status.json["recent"] == ["emitted": 3])
            #expect(status.json["workers"] == ["busy": 1])
        }
    }

    @Test(arguments: ["sort=size", "sort=", "limit=0", "limit=101", "limit=-1", "limit=1e2", "limit=", "group=a"])
    func `a wrong parameter of the hosts is refused`(_ query: String) async throws {
        try await ServerBench.run(report: Self.report) { bench in
            let answer = try await bench.send("GET", "/v1/hosts?\(query)")
            #expect(answer.status == 400, "\(answer.body)")
        }
    }
}
