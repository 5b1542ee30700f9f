import Base
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of the routes for batches.
@Suite(.timeLimit(.minutes(1))) struct BatchTests {
    private static let target = "/v1/notifications:batch"
    private static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// The head of a request whose body is chunked.
    private static func head(_ fields: [String] = []) -> String {
        let lines = (["Host: localhost", "Transfer-Encoding: chunked"] + fields).joined(separator: "\r\n")
        return "POST \(target) HTTP/1.1\r\n\(lines)\r\n\r\n"
    }

    private static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    private static let end = "0\r\n\r\n"

    @Test func `results are written while the body arrives`() async throws {
        try await ServerBench.run(batches: FakeBatches()) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.head())
                let head = try await connection.read(through: "\r\n\r\n")
                #expect(head.hasPrefix("HTTP/1.1 200") && head.contains("application/x-ndjson"))
                for line in ["{\"a\":1}\n", "{\"b\":2}\n"] {
                    try await connection.send(Self.chunk(line))
                    _ = try await connection.read(through: line)
                }
                try await connection.send(Self.end)
                _ = try await connection.read(through: "summary")
                // The connection can be used again.
                _ = try await connection.read(through: "0\r\n\r\n")
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await connection.read(through: "ok\n").contains("200 OK"))
            }
        }
    }

    /// A response that exceeds the buffers of the connection.
    private static let large = [UInt8](repeating: 0x78, count: 8 << 20)

    @Test func `a client that still sends its body stays, and one that reads nothing after its body is disconnected`()
        async throws
    {
        var settings = HTTPServerSettings()
        settings.writeLimit = .milliseconds(100)
        let batches = FakeBatches(first: Self.large)
        try await ServerBench.run(settings, batches: batches) { server in
            try await RawConnection.open(to: .tcp(server.port)) { sending in
                try await sending.send(Self.head(["Connection: close"]) + Self.chunk("{}\n"))
                _ = try await sending.read(through: "\r\n\r\n")
                // The limit of this client begins later, so it has passed for the other one when it ends here.
                try await RawConnection.open(to: .tcp(server.port)) { silent in
                    try await silent.send(Self.head() + Self.chunk("{}\n") + Self.end)
                    await batches.left.wait()
                }
                try await sending.send(Self.chunk("{}\n") + Self.end)
                let answer = await sending.readToEnd()
                #expect(answer.contains("summary"))
            }
        }
    }

    @Test func `each line of a batch may be a chunk of its own`() async throws {
        let batches = FakeBatches(first: [0x0A])
        try await ServerBench.run(batches: batches) { server in
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                let lines = String(repeating: Self.chunk("{\"id\":\"1\"}\n"), count: 2_000)
                try await connection.send(Self.head(["Connection: close"]) + lines + Self.end)
                return await connection.readToEnd()
            }
            #expect(answer.contains("summary"))
            #expect(batches.received.elements.reduce(0) { $0 + $1.count } == 2_000 * 11)
        }
    }

    @Test func `a client that leaves ends its batch`() async throws {
        let batches = FakeBatches()
        try await ServerBench.run(batches: batches) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.head() + Self.chunk("{}\n"))
                _ = try await connection.read(through: "{}\n")
                try await connection.close()
            }
            await batches.left.wait()
        }
    }

    @Test func `a body that stops is ended after the time for bodies`() async throws {
        var settings = HTTPServerSettings()
        settings.bodyLimit = .milliseconds(50)
        try await ServerBench.run(settings, batches: FakeBatches()) { server in
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.head() + Self.chunk("{}\n"))
                return await connection.readToEnd()
            }
            #expect(!answer.contains("summary"))
        }
    }

    @Test func `the call has the values of its head`() async throws {
        let batches = FakeBatches()
        try await ServerBench.run(batches: batches) { server in
            let answer = try await server.send(
                "POST", Self.target + "?group=group.demo&dry-run=lint",
                ["Request-Timeout: 2.5", "X-Request-Id: call-1", "traceparent: \(Self.trace)"], body: "{}\n")
            #expect(answer.status == 200)
        }
        let call = try #require(batches.calls.elements.first)
        #expect(call.group?.description == "group.demo" && call.budget == .seconds(2.5) && call.owner == "local")
        #expect(call.trace.id?.description == "call-1" && call.trace.parent?.description == Self.trace)
        #expect(batches.dryRuns.elements == [.lint])
    }

    @Test(arguments: [
        ("?dry-run=maybe", [String]()), ("?dry-run=lint", ["Prefer: respond-async"]), ("?group=..", []),
        ("?unknown=1", []),
    ])
    func `a wrong parameter is refused before the body is read`(_ query: String, _ fields: [String]) async throws {
        let batches = FakeBatches()
        try await ServerBench.run(batches: batches) { server in
            let answer = try await server.send("POST", Self.target + query, fields, body: "{}\n")
            #expect(answer.status == 400)
        }
        #expect(batches.calls.elements.isEmpty)
    }

    @Test func `a stored batch has a location`() async throws {
        try await ServerBench.run(batches: FakeBatches()) { server in
            let answer = try await server.send(
                "POST", Self.target, ["Prefer: respond-async", "Idempotency-Key: known"], body: "{}\n")
            #expect(answer.status == 202 && answer["location"] == "/v1/batches/known")
            #expect(answer["preference-applied"] == "respond-async")
            #expect(answer.json?["state"] == "running")
        }
    }

    @Test(arguments: [
        (BatchAdmission.full("The space is in use."), 503), (.tooLarge(most: 10), 413), (.truncated, 400),
        (.failed, 503), (.closing, 503),
    ])
    func `a batch that is not stored has a problem`(_ admission: BatchAdmission, _ status: Int) async throws {
        try await ServerBench.run(batches: FakeBatches(admission)) { server in
            let answer = try await server.send("POST", Self.target, ["Prefer: respond-async"], body: "{}\n")
            #expect(answer.status == status)
            #expect(answer.json?["type"]?.string?.hasPrefix("/problems/") == true)
        }
    }

    @Test func `another body with the same id has a problem`() async throws {
        let id = try #require(RequestID("known"))
        try await ServerBench.run(batches: FakeBatches(.conflict(id))) { server in
            let answer = try await server.send("POST", Self.target, ["Prefer: respond-async"], body: "{}\n")
            #expect(answer.status == 422 && answer.json?["id"] == "known")
        }
    }

    @Test(arguments: [
        ("GET", "/v1/batches/known", 200, "\"state\":\"running\""),
        ("GET", "/v1/batches/known/results", 200, "{\"after\":0}"),
        ("GET", "/v1/batches/known/results?after=7", 200, "{\"after\":7}"), ("DELETE", "/v1/batches/known", 204, ""),
        ("DELETE", "/v1/batches/known/results", 204, ""), ("DELETE", "/v1/batches/other/results", 404, ""),
        ("GET", "/v1/batches/other", 404, ""), ("GET", "/v1/batches/other/results", 404, ""),
        ("DELETE", "/v1/batches/other", 404, ""), ("GET", "/v1/batches/known/results?after=-1", 400, ""),
        ("GET", "/v1/batches/known/results?after=x", 400, ""), ("GET", "/v1/batches/known/results?after=1.5", 400, ""),
        ("GET", "/v1/batches/known/results?after=99999999999999999999", 400, ""), ("GET", "/v1/batches/..", 400, ""),
    ])
    func `the state, the results and the end of a stored batch have their routes`(
        _ method: String, _ target: String, _ status: Int, _ text: String
    ) async throws {
        try await ServerBench.run(batches: FakeBatches()) { server in
            let answer = try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(
                    "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return await connection.readToEnd()
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains(text), "\(answer)")
        }
    }

    @Test func `an ended batch cannot be cancelled`() async throws {
        try await ServerBench.run(batches: FakeBatches(cancelAnswer: .alreadyEmitted)) { server in
            let answer = try await server.send("DELETE", "/v1/batches/known")
            #expect(answer.status == 409)
        }
    }

    @Test func `callers have a limited number of batches at a time`() async throws {
        var settings = HTTPServerSettings()
        settings.maxBatches = 1
        let batches = FakeBatches()
        try await ServerBench.run(settings, batches: batches) { server in
            try await RawConnection.open(to: .tcp(server.port)) { connection in
                try await connection.send(Self.head() + Self.chunk("{}\n"))
                _ = try await connection.read(through: "{}\n")
                let refused = try await server.send("POST", Self.target, body: "{}\n")
                #expect(refused.status == 503 && refused["retry-after"] == "5")
            }
            await batches.left.wait()
            try await wait(for: "the place of the batch") {
                try await server.send("POST", Self.target, body: "{}\n").status == 200
            }
        }
    }

    @Test(arguments: [
        (BatchLineError.tooLong(most: 5), "too-large"), (.tooMany(most: 5), "too-large"),
        (.bodyTooLarge(most: 5), "too-large"), (.tooComplex, "too-large"), (.notObject("a number"), "not-json"),
        (.unusable(EnvelopeError(key: "id", problem: "is missing")), "unusable-envelope"),
        (.refused(.full(retryAfter: .seconds(1))), "full"), (.refused(.closing), "closing"),
        (.refused(.failed("")), "storage-failed"),
        (.refused(.conflict(FakeCoordinator.key("a"))), "id-in-use"),
    ])
    func `each error of a line is a problem`(_ error: BatchLineError, _ kind: String) {
        let problem = BatchProblems.json(of: error)
        #expect(problem["type"] == .string("/problems/\(kind)"))
        #expect(problem["detail"]?.string?.hasSuffix(".") == true)
    }
}
