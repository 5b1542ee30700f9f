import Base
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct SubmitTests {
    private static let payload = #"{"aps":{"alert":"hello"}}"#

    @Test func `a POST waits for the result, and its response has the bytes of the content`() async throws {
        try await ServerBench.run { bench in
            async let answer = bench.send("POST", "/v1/notifications?group=group.a", body: Self.payload)
            await bench.coordinator.wait { $0.waits == 1 }
            let key = FakeCoordinator.key("new", in: "group.a")
            bench.coordinator.emit(key)
            let got = try await answer
            #expect(got.status == 200)
            #expect(got["content-type"] == "application/json")
            #expect(got.body == String(decoding: FakeCoordinator.content(of: key).json, as: UTF8.self))
            #expect(got["x-request-id"] != nil)
            #expect(got["date"]?.hasSuffix(" GMT") == true)
            let submission = try #require(bench.coordinator.submissions.first)
            #expect(submission.channel == .call)
            #expect(submission.group?.description == "group.a")
            #expect(submission.body == Array(Self.payload.utf8))
            #expect(submission.object["aps"]?["alert"]?.string == "hello")
        }
    }

    @Test func `closing the connection of a caller ends its wait`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                await bench.coordinator.wait { $0.waits == 1 }
                try await connection.close()
            }
            await bench.coordinator.wait { $0.waitsLeft == 1 }
            #expect(bench.coordinator.waits == 0)
        }
    }

    @Test func `closing the sending half of a caller's socket ends its wait`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .socket(bench.socketPath)) { connection in
                try await connection.send(
                    "POST /v1/notifications HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
                await bench.coordinator.wait { $0.waits == 1 }
                connection.finishSending()
                #expect(await connection.readToEnd() == "")
            }
            #expect(bench.coordinator.waitsLeft == 1)
        }
    }

    @Test func `a request with respond-async is answered at once, with the location of the result`() async throws {
        try await ServerBench.run { bench in
            let answer = try await bench.send(
                "POST", "/v1/notifications?group=group.a", ["Prefer: respond-async", "Idempotency-Key: \"k-1\""],
                body: Self.payload)
            #expect(answer.status == 202)
            #expect(answer["location"] == "/v1/notifications/k-1?group=group.a")
            #expect(answer["preference-applied"] == "respond-async")
            #expect(answer.body == #"{"id":"k-1","appGroup":"group.a","state":"queued"}"#)
            #expect(bench.coordinator.submissions.first?.channel == .detached)
            #expect(bench.coordinator.submissions.first?.id?.description == "k-1")
        }
    }

    @Test(arguments: [("wait=2", 2_000, "wait=2"), ("wait=0.5, x, respond-async=no", 500, "wait=0.5")])
    func `a request with wait is answered without the result after its wait time`(
        _ preference: String, _ milliseconds: Int, _ applied: String
    ) async throws {
        let clock = ManualClock()
        try await ServerBench.run(clock: clock) { bench in
            async let answer = bench.send("POST", "/v1/notifications", ["Prefer: \(preference)"], body: Self.payload)
            await clock.waitForSleepers()
            await bench.coordinator.wait { $0.waits == 1 }
            clock.advance(by: .milliseconds(milliseconds))
            let got = try await answer
            #expect(got.status == 202)
            #expect(got["preference-applied"] == applied)
            #expect(bench.coordinator.submissions.first?.channel == .detached)
            #expect(bench.coordinator.waitsLeft == 1)
        }
    }

    @Test func `a request with wait is answered with the content if it is ready in time`() async throws {
        try await ServerBench.run(clock: ManualClock()) { bench in
            async let answer = bench.send("POST", "/v1/notifications", ["Prefer: wait=2"], body: Self.payload)
            await bench.coordinator.wait { $0.waits == 1 }
            bench.coordinator.emit(FakeCoordinator.key("new"))
            let got = try await answer
            #expect(got.status == 200)
            #expect(got["preference-applied"] == "wait=2")
        }
    }

    @Test func `preferences that cannot be parsed are ignored without an error`() async throws {
        try await ServerBench.run { bench in
            async let answer = bench.send("POST", "/v1/notifications", ["Prefer: wait=soon, x=1"], body: Self.payload)
            await bench.coordinator.wait { $0.waits == 1 }
            bench.coordinator.emit(FakeCoordinator.key("new"))
            let got = try await answer
            #expect(got.status == 200)
            #expect(got["preference-applied"] == nil)
            #expect(bench.coordinator.submissions.first?.channel == .call)
        }
    }

    @Test func `a result that is ready at once is sent as the response`() async throws {
        let coordinator = FakeCoordinator(admission: {
            .emitted(FakeCoordinator.content(of: FakeCoordinator.key(of: $0)))
        })
        try await ServerBench.run(coordinator: coordinator) { bench in
            let now = try await bench.send("POST", "/v1/notifications", body: Self.payload)
            #expect(now.status == 200)
            #expect(now.json?["outcome"]?.string == "rich")
            let later = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async"], body: Self.payload)
            #expect(later.status == 202)
        }
    }

    @Test func `a Request-Timeout field sets the budget`() async throws {
        try await ServerBench.run { bench in
            _ = try await bench.send(
                "POST", "/v1/notifications", ["Prefer: respond-async", "Request-Timeout: 2.5"], body: Self.payload)
            #expect(bench.coordinator.submissions.first?.budget == .milliseconds(2_500))
        }
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var admission: @Sendable (Submission) -> Admission
        var status: Int
        var type: String
        var retryAfter: String?
    }

    @Test(arguments: [
        Refused(
            testDescription: "conflict", admission: { .conflict(FakeCoordinator.key(of: $0)) }, status: 422,
            type: "id-in-use"),
        Refused(
            testDescription: "unusable",
            admission: { _ in .unusable(EnvelopeError(key: "budget", problem: "is a number")) }, status: 400,
            type: "unusable-envelope"),
        Refused(
            testDescription: "full", admission: { _ in .full(retryAfter: .milliseconds(1_200)) }, status: 503,
            type: "full",
            retryAfter: "2"),
        Refused(
            testDescription: "full for an instant", admission: { _ in .full(retryAfter: .zero) }, status: 503,
            type: "full",
            retryAfter: "1"),
        Refused(
            testDescription: "closing", admission: { _ in .closing }, status: 503, type: "closing", retryAfter: "1"),
        Refused(
            testDescription: "failed", admission: { _ in .failed("/var/lib/secret: EIO") }, status: 503,
            type: "storage-failed", retryAfter: "1"),
    ])
    func `a request that the coordinator does not accept gets a problem as its response`(refused: Refused) async throws
    {
        try await ServerBench.run(coordinator: FakeCoordinator(admission: refused.admission)) { bench in
            let answer = try await bench.send("POST", "/v1/notifications", body: Self.payload)
            #expect(answer.status == refused.status)
            #expect(answer["content-type"] == "application/problem+json")
            #expect(answer["retry-after"] == refused.retryAfter)
            #expect(answer.json?["type"]?.string == "/problems/\(refused.type)")
            #expect(answer.json?["status"]?.integer == refused.status)
            #expect(!answer.body.contains("secret"))
            if refused.type == "unusable-envelope" {
                #expect(answer.json?["key"]?.string == "budget")
                #expect(answer.json?["detail"]?.string == "budget: is a number.")
            }
        }
    }

    @Test func `a detail that ends with a question mark gets no full stop`() async throws {
        let error = EnvelopeError(key: "budgt", problem: "is not a key of an envelope: did you mean budget?")
        try await ServerBench.run(coordinator: FakeCoordinator(admission: { _ in .unusable(error) })) { bench in
            let answer = try await bench.send("POST", "/v1/notifications", body: Self.payload)
            #expect(answer.json?["detail"]?.string?.hasSuffix("did you mean budget?") == true)
        }
    }

    @Test func `a request that joins another request with the same key waits for the same result`() async throws {
        let coordinator = FakeCoordinator(admission: { .joined(FakeCoordinator.key(of: $0)) })
        coordinator.emit(FakeCoordinator.key("k"))
        try await ServerBench.run(coordinator: coordinator) { bench in
            let answer = try await bench.send("POST", "/v1/notifications", ["Idempotency-Key: k"], body: Self.payload)
            #expect(answer.status == 200)
        }
    }

    @Test func `a connection is reused after a wait`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .socket(bench.socketPath)) { connection in
                for name in ["a", "b"] {
                    try await connection.send(
                        "POST /v1/notifications HTTP/1.1\r\nHost: x\r\nIdempotency-Key: \(name)\r\n"
                            + "Content-Length: 2\r\n\r\n{}")
                    await bench.coordinator.wait { $0.waits == 1 }
                    bench.coordinator.emit(FakeCoordinator.key(name))
                    let answer = try await connection.readAnswer()
                    #expect(answer.status == 200)
                    #expect(answer.json?["id"]?.string == name)
                }
            }
        }
    }
}
