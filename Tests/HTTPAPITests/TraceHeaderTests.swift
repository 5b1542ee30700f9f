import HTTPTypes
import NotificationModel
import Testing

@testable import HTTPAPI

/// Tests of the header field `traceparent` of a call.
@Suite struct TraceHeaderTests {
    private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static func read(_ values: [String]) -> TraceParent? {
        var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/v1/notifications")
        head.headerFields[values: .traceParent] = values
        return TraceParent(head)
    }

    @Test func `a valid value is read`() { #expect(Self.read([Self.trace])?.description == Self.trace) }

    @Test(arguments: [[], [""], ["x"], [trace, trace], ["\(trace), \(trace)"], [trace.uppercased()]])
    func `a missing, repeated or invalid value is ignored`(_ values: [String]) {
        #expect(Self.read(values) == nil)
    }

    @Test func `a submission and the log have the value and the id of the call`() async throws {
        try await ServerBench.run { bench in
            async let answer = bench.send(
                "POST", "/v1/notifications", ["X-Request-Id: call-1", "traceparent: \(Self.trace)"], body: "{}")
            await bench.coordinator.wait { $0.waits == 1 }
            bench.coordinator.emit(FakeCoordinator.key("new"))
            _ = try await answer
            let submission = try #require(bench.coordinator.submissions.first)
            #expect(submission.trace.parent?.description == Self.trace)
            #expect(submission.trace.id?.description == "call-1")
            #expect(submission.body == Array("{}".utf8))
        }
    }
}
