import Base
import NotificationModel
import Testing

@testable import HTTPAPI

@Suite(.timeLimit(.minutes(1)))
struct LookupAndCancelTests {
    @Test func `a lookup returns the state of a running request, and the content of an emitted request`() async throws {
        let coordinator = FakeCoordinator()
        coordinator.set(.running, of: FakeCoordinator.key("a", in: "group.x"))
        coordinator.emit(FakeCoordinator.key("b"))
        try await ServerBench.run(coordinator: coordinator) { bench in
            let running = try await bench.send("GET", "/v1/notifications/a?group=group.x")
            #expect(running.status == 200)
            #expect(running.body == #"{"id":"a","appGroup":"group.x","state":"running"}"#)
            let emitted = try await bench.send("GET", "/v1/notifications/b")
            #expect(emitted.json?["outcome"]?.string == "rich")
            let unknown = try await bench.send("GET", "/v1/notifications/a")
            #expect(unknown.status == 404, "ids are unique in their group only")
            #expect(unknown["content-type"] == "application/problem+json")
            #expect(unknown.json?["detail"] == "There is no request 'a' in group 'group.default'.")
            #expect(unknown.json?["id"] == "a")
            #expect(unknown.json?["appGroup"] == "group.default")
        }
    }

    @Test(arguments: [(CancelAnswer.cancelled, 204), (.unknown, 404), (.alreadyEmitted, 409), (.closing, 503)])
    func `the response to a cancellation reports its outcome`(answer: CancelAnswer, status: Int) async throws {
        try await ServerBench.run(coordinator: FakeCoordinator(cancelAnswer: answer)) { bench in
            let got = try await bench.send("DELETE", "/v1/notifications/a")
            #expect(got.status == status)
            if status == 204 {
                #expect(got["content-length"] == nil)
                #expect(got["transfer-encoding"] == nil)
            }
        }
    }

    @Test func `a cancellation by a provider's identifier cancels all requests with this identifier`() async throws {
        let coordinator = FakeCoordinator(providerKeys: [
            FakeCoordinator.key("m", in: "group.a"), FakeCoordinator.key("m", in: "group.b"),
        ])
        try await ServerBench.run(coordinator: coordinator) { bench in
            let all = try await bench.send("DELETE", "/v1/notifications/%6D?by=provider")
            #expect(
                all.body
                    == #"{"cancelled":[{"id":"m","appGroup":"group.a"},{"id":"m","appGroup":"group.b"}]}"#)
            let one = try await bench.send("DELETE", "/v1/notifications/m?by=provider&group=group.b")
            #expect(one.json?["cancelled"]?.array?.count == 1)
            // This text is not a request id, and may still be a provider's identifier.
            let odd = try await bench.send("DELETE", "/v1/notifications/%C3%A9%2F%00?by=provider")
            #expect(odd.status == 404)
        }
    }

    @Test func `the daemon reports its health, readiness, metrics and status`() async throws {
        try await ServerBench.run { bench in
            let health = try await bench.send("GET", "/healthz?now").body
            #expect(health == "ok\n")
            let readiness = try await bench.send("GET", "/readyz").status
            #expect(readiness == 200)
            let metrics = try await bench.send("GET", "/metrics")
            #expect(metrics.body == "agd_up 1\n")
            #expect(metrics["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let status = try await bench.send("GET", "/v1/status").json
            #expect(status?["version"]?.string == "1.2.3")
            #expect(status?["ready"]?.bool == true)
            #expect(status?["draining"]?.bool == false)
            #expect(status?["uptimeMs"]?.integer != nil)
            #expect(status?["load"]?["queued"]?.integer == 2)
            #expect(status?["load"]?["emitted"]?["rich"]?.integer == 6)
            #expect(status?["load"]?["emitted"]?["cancelled"]?.integer == 0)
        }
    }

    @Test(
        arguments: [
            ("GET", "/v1/notifications/a"), ("DELETE", "/v1/notifications/a"),
            ("DELETE", "/v1/notifications/a?by=provider"), ("GET", "/v1/notifications/a/events"),
        ])
    func `a starting daemon refuses calls about requests`(method: String, path: String) async throws {
        try await ServerBench.run(phase: .starting) { bench in
            let answer = try await bench.send(method, path)
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "1")
            #expect(answer.json?["type"]?.string?.hasSuffix("starting") == true)
            let status = try await bench.send("GET", "/v1/status").json
            #expect(status?["ready"]?.bool == false)
        }
    }

    @Test func `a draining daemon reports its state, and still answers calls about requests`() async throws {
        try await ServerBench.run(phase: .draining) { bench in
            let status = try await bench.send("GET", "/v1/status").json
            #expect(status?["draining"]?.bool == true)
            #expect(status?["ready"]?.bool == false)
            let look = try await bench.send("GET", "/v1/notifications/unknown").status
            #expect(look == 404)
        }
    }

    @Test func `a daemon is not ready while its journal cannot be written`() async throws {
        let canStore = Guarded(false)
        let read: @Sendable () -> Bool = { canStore.withLock { $0 } }
        try await ServerBench.run(canStore: read) { bench in
            let readiness = try await bench.send("GET", "/readyz")
            #expect(readiness.status == 503)
            #expect(readiness["retry-after"] == "1")
            #expect(readiness.body == "not ready: the journal cannot be written\n")
            let health = try await bench.send("GET", "/healthz").status
            #expect(health == 200)
            canStore.withLock { $0 = true }
            let again = try await bench.send("GET", "/readyz")
            #expect(again.status == 200)
            #expect(again["retry-after"] == nil)
        }
    }

    @Test func `a daemon is not ready while too few descriptors are free for media`() async throws {
        let isShort = Guarded(true)
        let read: @Sendable () -> Bool = { isShort.withLock(\.self) }
        try await ServerBench.run(areDescriptorsShort: read) { bench in
            let readiness = try await bench.send("GET", "/readyz")
            #expect(readiness.status == 503)
            #expect(
                readiness.body
                    == "not ready: too few file descriptors are free for media: raise LimitNOFILE= or ulimit -n\n")
            let status = try await bench.send("GET", "/v1/status").json
            #expect(status?["ready"]?.bool == false)
            isShort.withLock { $0 = false }
            let again = try await bench.send("GET", "/readyz")
            #expect(again.status == 200 && again.body == "ok\n")
        }
    }

    @Test(arguments: [(1, "1 app group is"), (7, "7 app groups are")])
    func `a daemon with too few watches is ready, and reports the lack of watches`(_ count: Int, _ words: String)
        async throws
    {
        let scannedGroups: @Sendable () -> Int = { count }
        try await ServerBench.run(scannedGroups: scannedGroups) { bench in
            let readiness = try await bench.send("GET", "/readyz")
            #expect(readiness.status == 200)
            #expect(
                readiness.body == """
                    ok
                    inotify watches are short: \(words) looked at each second instead. Raise \
                    fs.inotify.max_user_watches

                    """)
        }
    }

    @Test func `a starting daemon is healthy, and reports that it is not ready`() async throws {
        try await ServerBench.run(phase: .starting) { bench in
            let readiness = try await bench.send("GET", "/readyz")
            #expect(readiness.status == 503)
            #expect(readiness["retry-after"] == "1")
            let health = try await bench.send("GET", "/healthz").status
            #expect(health == 200)
        }
    }

    @Test func `a response to HEAD has the length and no body`() async throws {
        try await ServerBench.run { bench in
            try await RawConnection.open(to: .tcp(bench.port)) { connection in
                try await connection.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let head = try await connection.readAnswer(toHead: true)
                #expect(head["content-length"] == "3")
                // The next bytes belong to the next response, so the response to HEAD had no body.
                try await connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let next = try await connection.readAnswer().status
                #expect(next == 200)
            }
        }
    }

    @Test func `the log line of a request has no id and no query, and has the id of the call`() async throws {
        try await ServerBench.run { bench in
            let answer = try await bench.send("GET", "/v1/notifications/a?group=group.q", ["X-Request-Id: caller-1"])
            #expect(answer["x-request-id"] == "caller-1")
            let evil = try await bench.send("GET", "/healthz", ["X-Request-Id: a b"])
            #expect(evil["x-request-id"].map { $0 != "a b" && $0.count == 36 } == true)
            // The line is logged after the response and before the end of the connection.
            let line = try #require(bench.log.all.first { $0.contains("caller-1") })
            #expect(line.hasPrefix("refused calls=1 client=127.0.0.1 method=GET ms="))
            #expect(line.hasSuffix("path=/v1/notifications/{id} reason=not-found request-id=caller-1 status=404"))
        }
    }
}
