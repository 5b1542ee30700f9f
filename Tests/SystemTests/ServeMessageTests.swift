import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of named messages with a real daemon and an origin.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ServeMessageTests {
    private static func put(
        _ payload: String, as name: String, _ query: String = "", in root: ServedRoot
    ) async throws -> DaemonClient.Answer {
        try await root.client.request("PUT", "/v1/messages/\(name)\(query)", body: Array(payload.utf8))
    }

    private static func paths(in content: JSONValue) -> [String] {
        (content["content"]?["attachments"]?.array ?? []).compactMap { $0["path"]?.string }
    }

    @Test func `a message that is being prepared when the daemon is killed is prepared after the restart`()
        async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                let daemon = try await root.start()
                let url = origin.fresh("/delay/1s/photo-small.jpg")
                let put = try await Self.put(
                    ServedPayload.twoMee(url, providerID: "msg-welcome"), as: "welcome", "?profiles=ios,web", in: root)
                #expect(put.status == 202, "\(put.json)")
                await origin.waitUntil { $0.requests >= 1 }
                let early = try await root.client.request("GET", "/v1/messages/welcome")
                #expect(early.status == 202 && early.json["state"] == "preparing")
                #expect(early.headers["retry-after"] == "1")
                try await daemon.kill()
                let next = try await root.start()
                for profile in ["ios", "web"] {
                    let pulled = try await root.client.request(
                        "GET", "/v1/messages/welcome?profile=\(profile)&wait=30s")
                    #expect(pulled.status == 200 && pulled.json["outcome"] == "rich", "\(pulled.json)")
                    #expect(pulled.json["profile"]?.string == profile)
                    #expect(pulled.headers["etag"] == put.headers["etag"])
                    let paths = Self.paths(in: pulled.json)
                    #expect(!paths.isEmpty)
                    for path in paths { #expect(FileSystem.size(of: root.path(path)) != nil, "\(path)") }
                }
                // The content is durable, and needs no further request to the origin.
                let count = origin.counts.requests
                try await next.kill()
                _ = try await root.start()
                #expect(try await root.client.request("GET", "/v1/messages/welcome").status == 200)
                #expect(origin.counts.requests == count)
            }
        }
    }

    @Test func `the end of each preparation has an event with the name, the group and the profile`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let events = try await ServedEvents.listen(to: root.client)
                defer { events.close() }
                _ = try await Self.put(
                    ServedPayload.media([origin.image]), as: "good", "?profiles=ios,android", in: root)
                let missing = "\(origin.baseURL)/status/404/photo-small.jpg"
                _ = try await Self.put(ServedPayload.media([missing]), as: "bad", in: root)
                for profile in ["ios", "android"] {
                    let ready = try await events.events.first {
                        $0["event"] == "message.ready" && $0["profile"]?.string == profile
                    }
                    #expect(ready["name"] == "good" && ready["appGroup"] == "group.default", "\(ready)")
                    #expect(ready["outcome"] == "rich" && ready["version"] == 1)
                }
                let failed = try await events.events.first { $0["event"] == "message.failed" }
                #expect(failed["name"] == "bad" && failed["profile"] == "ios", "\(failed)")
                #expect(failed["reason"] == "http-status")
                // The text of a message that failed can still be shown.
                let pulled = try await root.client.request("GET", "/v1/messages/bad?wait=10s")
                #expect(pulled.status == 200 && pulled.json["content"]?["body"] == "without")
            }
        }
    }

    @Test func `a message ends at its expiry, and another group does not have it`() async throws {
        try await ServedRoot.withRoot { root in
            _ = try await root.start()
            let text = ServedPayload.text("hello")
            let put = try await root.client.request(
                "PUT", "/v1/messages/a?expires=2s", headers: ["prefer": "wait=10"], body: Array(text.utf8))
            #expect(put.status == 201 && put.json["state"] == "ready", "\(put.json)")
            #expect(try await root.client.request("GET", "/v1/messages/a?group=group.other").status == 404)
            #expect(try await root.client.request("GET", "/v1/messages/a").status == 200)
            try await wait(for: "the end of the message") {
                try await root.client.request("GET", "/v1/messages/a").status == 404
            }
            for expires in ["31d", "0s", "1"] {
                #expect(try await Self.put(text, as: "a", "?expires=\(expires)", in: root).status == 400)
            }
            for wrong in [#"{"id":"x","payload":{}}"#, #"{"appGroup":"group.other","payload":{}}"#] {
                let answer = try await Self.put(wrong, as: "a", in: root)
                #expect(answer.status == 400 && answer.json["type"] == "/problems/unusable-envelope")
            }
        }
    }

    @Test func `the command stores, reads and removes messages`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                func run(_ arguments: String...) async throws -> ProgramRun {
                    try await ProgramRun.appgroupd(["message"] + arguments + ["--root", root.path])
                }
                let file = try root.write(ServedPayload.media([origin.image]), as: "m.json")
                #expect(try await run("get", "welcome").status == 1)
                let put = try await run("put", "welcome", file, "--profile", "web", "--expires", "1d", "--wait", "20s")
                #expect(put.status == 0, "\(put.errors)")
                #expect(try put.contents.first?["profiles"]?["web"]?["outcome"] == "rich")
                let got = try await run("get", "welcome", "--wait", "20s")
                #expect(try got.contents.first?["profile"] == "web", "\(got.errors)")
                let other = try await run("get", "welcome", "--profile", "ios")
                #expect(other.status == 1 && other.errors.first?.contains("not for ios") == true, "\(other.errors)")
                let stale = try await run("put", "welcome", file, "--if-version", "99")
                #expect(stale.status == 1 && stale.errors.first?.contains("version") == true, "\(stale.errors)")
                #expect(try await run("rm", "welcome").status == 0)
                #expect(try await run("rm", "welcome").status == 1)
                #expect(try await run("put", "..", file).status == 2)
                #expect(try await run("put", "a", file, "--wait", "soon").status == 2)
                #expect(try await run("put", "a", root.path + "/none.json").status == 1)
            }
        }
    }
}
