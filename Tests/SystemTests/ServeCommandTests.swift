import Base
import Foundation
import HTTPAPI
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests of the commands that send requests to a running daemon, and of commands that use its root at the same time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeCommandTests {
    @Test func `a second daemon on a root is refused, and the message names the first daemon's process`()
        async throws
    {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            let second = try await ProgramRun.appgroupd("serve", "--root", root.path, "--listen", "none")
            #expect(second.status == 1)
            #expect(second.output.isEmpty)
            #expect(second.errors.count == 1)
            #expect(second.errors.first?.contains("process \(daemon.pid) ") == true, "\(second.errors)")
            // The socket of the first daemon still works.
            let answer = try await root.client.request("GET", "/healthz")
            #expect(answer.status == 200)
        }
    }

    @Test func `process uses the same container as a running daemon`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let payload = ServedPayload.media([origin.image])
                let run = try await ProgramRun.appgroupd(
                    "process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--require", "rich", "-",
                    input: payload)
                #expect(run.status == 0)
                let own = try #require(try run.contents.first)
                let served = try await root.client.post(payload).json
                #expect(served["outcome"] == "rich")
                let paths = [own, served].map { $0["content"]["attachments"]?.array?.first["path"]?.string }
                #expect(paths[0] != nil)
                #expect(paths[0] == paths[1])
            }
        }
    }

    @Test func `the status reports the sandbox of the workers`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            // The daemon examines a worker after it is ready, so the status may not have the sandbox at once.
            var status = JSONValue.null
            for _ in 0..<100 where status["sandbox"]["layers"] == nil {
                let run = try await ProgramRun.appgroupd("status", "--root", root.path, "--format", "json")
                status = try #require(try run.contents.first)
            }
            #expect(status["sandbox"]["layers"]["systemCalls"]["stands"] == true)
            #expect(status["sandbox"]["allowedCalls"]?.array?.count == 17)
            let words = try await ProgramRun.appgroupd("status", "--root", root.path)
            #expect(words.output.contains { $0.hasPrefix("sandbox   system call filter, ") })
            #expect(words.output.last?.hasPrefix("calls     brk, mmap (for private mappings") == true)
        }
    }

    @Test func `the status is printed as text and as JSON`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            _ = try await root.client.post(ServedPayload.text("b"), ["idempotency-key": "one"])
            let words = try await ProgramRun.appgroupd("status", "--root", root.path)
            #expect(words.status == 0)
            #expect(words.output.first?.hasPrefix("daemon    ready, version ") == true)
            #expect(words.output.contains("emitted   passthrough 1"))
            let json = try await ProgramRun.appgroupd("status", "--root", root.path, "--format", "json")
            #expect(json.status == 0)
            let status = try #require(try json.contents.first)
            #expect(status["ready"] == true)
            #expect(status["load"]["accepted"] == 1)

            let one = try await ProgramRun.appgroupd("status", "--root", root.path, "--format", "json", "one")
            #expect(one.status == 0)
            #expect(try one.contents.first?["content"]["body"] == "b")
            let unknown = try await ProgramRun.appgroupd("status", "--root", root.path, "two")
            #expect(unknown.status == 1)
            #expect(unknown.output.isEmpty)
            #expect(unknown.errors == ["appgroupd: There is no request 'two' in group 'group.default'."])
        }
    }

    @Test func `the status of a request is JSON unless --format text is given`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let body = ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "30s")
                _ = try await root.client.post(body, ["prefer": "respond-async", "idempotency-key": "slow"])
                await origin.waitUntil { $0.stallsReached >= 1 }
                let program = try await ProgramRun.appgroupd("status", "--root", root.path, "slow")
                #expect(program.output == [#"{"id":"slow","appGroup":"group.default","state":"running"}"#])
                let person = try await ProgramRun.appgroupd(
                    "status", "--root", root.path, "--format", "text", "slow")
                #expect(
                    person.output == [
                        "Request 'slow' in group 'group.default' is running: its processing has started, and its result "
                            + "is not emitted yet."
                    ])
                _ = try await root.client.request("DELETE", "/v1/notifications/slow")
                try await root.client.emission(of: "slow")
                let emitted = try await ProgramRun.appgroupd("status", "--root", root.path, "slow")
                #expect(try emitted.contents.map { $0["outcome"] } == ["cancelled"])
            }
        }
    }

    @Test func `a request is cancelled by its own id and by the provider's id of its message`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let body = ServedPayload.envelope(
                    ServedPayload.twoMee(origin.stalled, providerID: "campaign 7"), budget: "30s")
                for id in ["a", "b", "c"] {
                    _ = try await root.client.post(body, ["prefer": "respond-async", "idempotency-key": id])
                }
                await origin.waitUntil { $0.stallsReached >= 1 }
                let ours = try await ProgramRun.appgroupd("cancel", "--root", root.path, "a")
                #expect(ours.status == 0)
                #expect(ours.output == ["a"])
                let again = try await ProgramRun.appgroupd("cancel", "--root", root.path, "a")
                #expect(again.output == ["a"], "the result is cancelled")
                _ = try await root.client.post(ServedPayload.text("d"), ["idempotency-key": "d"])
                let late = try await ProgramRun.appgroupd("cancel", "--root", root.path, "d")
                #expect(late.status == 1)
                #expect(late.output.isEmpty)
                #expect(
                    late.errors == [
                        "appgroupd: Request 'd' in group 'group.default' has been emitted: it is too late to cancel it."
                    ])

                let theirs = try await ProgramRun.appgroupd("cancel", "--root", root.path, "campaign 7")
                #expect(theirs.status == 0)
                #expect(theirs.output.sorted() == ["b", "c"])
                for id in ["a", "b", "c"] {
                    try await root.client.emission(of: id)
                    let content = try await root.client.get(id)
                    #expect(content.json["outcome"] == "cancelled")
                    #expect(content.json["content"]["body"] == "without")
                }
                let unknown = try await ProgramRun.appgroupd("cancel", "--root", root.path, "stranger")
                #expect(unknown.status == 1)
                #expect(
                    unknown.errors == [
                        "appgroupd: There is no request 'stranger' in group 'group.default'. No running request in any "
                            + "group has the provider's id 'stranger'."
                    ])
                let elsewhere = try await ProgramRun.appgroupd(
                    "cancel", "--root", root.path, "--group", "group.b", "campaign 7")
                #expect(
                    elsewhere.errors == [
                        "appgroupd: No running request in group 'group.b' has the provider's id 'campaign 7'."
                    ])
            }
        }
    }

    @Test func `a request's stream ends at its emission, and the stream of all events ends with the daemon`()
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let streams = try TemporaryDirectory()
                let all = try ProgramRun.start(["events", "--root", root.path], in: streams)
                _ = try await root.client.post(
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: "1s"),
                    ["prefer": "respond-async", "idempotency-key": "one"])
                let one = try await ProgramRun.appgroupd("events", "--root", root.path, "one")
                #expect(one.status == 0)
                let last = try #require(try one.contents.last)
                #expect(last["event"] == "emitted")
                #expect(last["id"] == "one")
                #expect(last["outcome"] == "fallback")
                // The request is already emitted, so only its last event is sent.
                let again = try await ProgramRun.appgroupd("events", "--root", root.path, "one")
                #expect(again.status == 0)
                #expect(try again.contents.map { $0["event"] } == ["emitted"])
                let unknown = try await ProgramRun.appgroupd("events", "--root", root.path, "two")
                #expect(unknown.status == 1)
                #expect(unknown.errors.count == 1)

                try await daemon.terminate()
                await all.ending.wait()
                #expect(all.process.terminationStatus == 0)
            }
        }
    }

    @Test(arguments: [["status"], ["status", "one"], ["cancel", "one"], ["events"], ["events", "one"]])
    func `a command without a daemon ends with status 1 and one sentence`(_ arguments: [String]) async throws {
        try await ServedRoot.withRoot { root in
            let never = try await ProgramRun.appgroupd(arguments + ["--root", root.path])
            #expect(never.status == 1)
            #expect(never.output.isEmpty)
            #expect(never.errors.count == 1)
            #expect(never.errors.first?.contains("there is no socket \(root.path)/appgroupd.sock") == true)
            #expect(never.errors.first?.contains("serve") == true)

            try await root.start().kill()
            let killed = try await ProgramRun.appgroupd(arguments + ["--root", root.path])
            #expect(killed.status == 1)
            #expect(killed.errors.count == 1)
            #expect(killed.errors.first?.contains("no daemon listens on") == true, "\(killed.errors)")
        }
    }

    @Test func `the socket of a killed daemon does not prevent the next start`() async throws {
        try await ServedRoot.withRoot { root in
            try await root.start().kill()
            let daemon = try await root.start()
            let answer = try await root.client.request("GET", "/readyz")
            #expect(answer.status == 200)
            try await daemon.terminate()
            // A daemon that ends normally removes its socket.
            #expect(!Self.names(in: root.path).contains("appgroupd.sock"))
        }
    }

    private static func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }
}
