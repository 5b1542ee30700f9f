import Base
import NotificationModel
import TestSupport
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct DaemonClientTests {
    @Test func `a request gets its response`() async throws {
        try await ServerBench.run(coordinator: FakeCoordinator(cancelAnswer: .alreadyEmitted)) { bench in
            let client = DaemonClient(socketPath: bench.socketPath)
            let status = try await client.request("GET", "/v1/status", headers: ["X-Request-Id": "mine"])
            #expect(status.status == 200)
            #expect(status.headers["x-request-id"] == "mine")
            let version = try JSONParser.value(of: status.body)["version"]?.string
            #expect(version == "1.2.3")
            let cancelled = try await client.request("DELETE", "/v1/notifications/a").status
            #expect(cancelled == 409)
            let posted = try await client.request(
                "POST", "/v1/notifications", headers: ["Prefer": "respond-async"], body: Array("{}".utf8))
            #expect(posted.status == 202)
        }
    }

    @Test func `a stream delivers its lines, and ends with the server's stream`() async throws {
        let coordinator = FakeCoordinator()
        let key = FakeCoordinator.key("a")
        coordinator.set(.running, of: key)
        try await ServerBench.run(coordinator: coordinator) { bench in
            let listening = Task {
                await coordinator.wait { $0.listeners == 1 }
                coordinator.send(.started, key, eventID: "8")
            }
            defer { listening.cancel() }
            let lines = Record<String>()
            // The event is sent after the stream has begun. An earlier event could be a part of the state with which
            // the stream begins.
            try await DaemonClient(socketPath: bench.socketPath).forEachLine(
                of: "/v1/notifications/a/events", headers: ["Last-Event-ID": "7"]
            ) { line in
                lines.append(line)
                if lines.elements.count == 7 { coordinator.emit(key, eventID: "9") }
            }
            let got = lines.elements
            #expect(got.count == 11)
            #expect(got.prefix(5) == ["retry: 2000", ":", "", "id: 8", "event: started"])
            #expect(got.last == "")
            #expect(coordinator.resumedAfter == ["7"])
        }
    }

    @Test func `a refused stream throws the status and the body`() async throws {
        try await ServerBench.run { bench in
            let error = await #expect(throws: DaemonClientError.self) {
                try await DaemonClient(socketPath: bench.socketPath).forEachLine(of: "/v1/notifications/a/events") {
                    _ in
                }
            }
            guard case .refused(status: 404, let body) = error else {
                Issue.record("it is \(String(describing: error))")
                return
            }
            #expect(String(decoding: body, as: UTF8.self).contains("not-found"))
        }
    }

    @Test func `cancelling the reading of a stream closes its connection`() async throws {
        try await ServerBench.run { bench in
            let client = DaemonClient(socketPath: bench.socketPath)
            let reading = Task { try await client.forEachLine(of: "/v1/events") { _ in } }
            await bench.coordinator.wait { $0.listeners == 1 }
            reading.cancel()
            _ = await reading.result
        }
    }

    @Test func `a missing socket and a socket without a listener are different errors`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/s"
        await #expect(throws: DaemonClientError.noSocket(path: path)) {
            _ = try await DaemonClient(socketPath: path).request("GET", "/healthz")
        }
        try StaleSocket.make(at: path)
        await #expect(throws: DaemonClientError.noListener(path: path)) {
            _ = try await DaemonClient(socketPath: path).request("GET", "/healthz")
        }
        #expect(DaemonClientError.noSocket(path: path).description.contains(path))
    }
}
