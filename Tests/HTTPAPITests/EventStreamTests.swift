import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    private static func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n"
    }

    @Test func `a stream delivers each event with its id`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(Self.get("/v1/events", "Last-Event-ID: 41\r\n"))
                let head = RawAnswer(head: try await connection.read(through: "\r\n\r\n"))
                #expect(head["content-type"] == "text/event-stream")
                #expect(head["content-length"] == nil)
                #expect(head["x-accel-buffering"] == "no")
                // nginx passes the head on with the first byte of the body.
                _ = try await connection.read(through: ":\n\n")
                bench.coordinator.send(.accepted, FakeCoordinator.key("a"), eventID: "42\r\ndata: forged")
                bench.coordinator.emit(FakeCoordinator.key("a"), eventID: "43")
                let first = try await connection.read(through: "\n\n")
                #expect(first.contains("id: 42data: forged\nevent: accepted\ndata: {\"id\":\"a\""))
                let second = try await connection.read(through: "\n\n")
                #expect(
                    second.hasSuffix(
                        "id: 43\nevent: emitted\ndata: {\"id\":\"a\",\"appGroup\":\"group.default\",\"outcome\":\"rich\","
                            + "\"reason\":null,\"at\":\"2027-01-15T08:00:00.000Z\",\"elapsedMs\":5.0}\n\n"))
            }
            #expect(bench.coordinator.resumedAfter == ["41"])
        }
    }

    @Test func `a stream over the unix socket goes on although its request has a token`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .socket(bench.socketPath)) { connection in
                try await connection.send(Self.get("/v1/events", "Authorization: Bearer of-another-server\r\n"))
                _ = try await connection.read(through: ":\n\n")
                bench.coordinator.emit(FakeCoordinator.key("a"), eventID: "43")
                let event = try await connection.read(through: "\n\n")
                #expect(event.contains("event: emitted"))
            }
        }
    }

    @Test func `a stream without events sends a heartbeat at once and then every 15 s`() async throws {
        let clock = ManualClock()
        try await ServerBench.run(clock: clock) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(Self.get("/v1/events"))
                _ = try await connection.read(through: "\r\n\r\n")
                let first = try await connection.read(through: ":\n\n")
                #expect(first.hasSuffix(":\n\n"))
                for _ in 0..<2 {
                    await clock.waitForSleepers()
                    clock.advance(by: .seconds(15))
                    let beat = try await connection.read(through: ":\n\n")
                    #expect(beat.hasSuffix(":\n\n"))
                }
            }
        }
    }

    @Test func `the stream of one request ends with its emission, and has no events of other requests`() async throws {
        let coordinator = FakeCoordinator()
        let key = FakeCoordinator.key("a", in: "group.x")
        coordinator.set(.running, of: key)
        try await ServerBench.run(coordinator: coordinator) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(
                    Self.get("/v1/notifications/a/events?group=group.x", "Connection: close\r\n"))
                _ = try await connection.read(through: "\r\n\r\n")
                coordinator.emit(FakeCoordinator.key("a"))
                coordinator.send(.started, key, eventID: "2")
                coordinator.emit(key)
                let rest = await connection.readToEnd()
                #expect(rest.contains("event: started"))
                #expect(rest.contains("event: emitted"))
                #expect(!rest.contains("group.default"))
                #expect(rest.hasSuffix("0\r\n\r\n"), "the last chunk")
            }
        }
    }

    @Test func `the stream of an emitted request ends at once`() async throws {
        let coordinator = FakeCoordinator()
        coordinator.emit(FakeCoordinator.key("a"))
        try await ServerBench.run(coordinator: coordinator) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(Self.get("/v1/notifications/a/events", "Connection: close\r\n"))
                let all = await connection.readToEnd()
                #expect(all.contains("event: emitted\ndata: {\"id\":\"a\""))
                #expect(all.contains("\"at\":\"2026-01-31T12:00:00.000Z\",\"elapsedMs\":12.5}"))
                #expect(!all.contains("\nid:"))
                #expect(all.hasSuffix("0\r\n\r\n"))
            }
            let unknown = try await bench.send("GET", "/v1/notifications/b/events").status
            #expect(unknown == 404)
        }
    }

    @Test func `a client that closes its sending half ends its stream`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send(Self.get("/v1/events"))
                _ = try await connection.read(through: "\r\n\r\n")
                connection.finishSending()
                // The server sees the end of the sending half and ends the stream.
                #expect(await connection.readToEnd().hasSuffix("0\r\n\r\n"))
            }
        }
    }

    @Test func `a shutdown ends streams and idle connections, and waits for running requests`() async throws {
        let coordinator = FakeCoordinator()
        try await ServerBench.run(coordinator: coordinator) { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { stream in
                try await stream.send(Self.get("/v1/events"))
                _ = try await stream.read(through: "\r\n\r\n")
                try await RawConnection.open(to: .socket(bench.socketPath)) { idle in
                    try await idle.send(Self.get("/healthz"))
                    _ = try await idle.readAnswer()
                    async let waiting = bench.send("POST", "/v1/notifications", body: "{}")
                    await coordinator.wait { $0.waits == 1 }
                    await bench.beginShutdown()
                    #expect(await stream.readToEnd().hasSuffix("0\r\n\r\n"))
                    #expect(await idle.readToEnd() == "")
                    coordinator.emit(FakeCoordinator.key("new"))
                    let status = try await waiting.status
                    #expect(status == 200)
                }
            }
        }
    }

    @Test func `a stream over HTTP 1.0 is refused`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("GET /v1/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
                #expect(await connection.readToEnd().contains(" 505 "))
            }
        }
    }
}
