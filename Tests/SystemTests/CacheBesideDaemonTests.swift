import Base
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of `appgroupd cache` on the root of a running daemon.
@Suite(.serialized, .timeLimit(.minutes(1))) struct CacheBesideDaemonTests {
    @Test func `a running daemon requests purged media from their origin again`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let url = origin.image
                let first = try await root.client.post(ServedPayload.media([url]))
                let path = try #require(
                    first.json["content"]["attachments"]?.array?.first?["path"]?.string)
                #expect(FileSystem.size(of: root.path(path)) != nil)
                let again = try await root.client.post(ServedPayload.media([url], title: "again"))
                #expect(again.json["content"]["attachments"]?.array?.first?["source"]["cache"] == "hit")
                let run = try await ProgramRun.appgroupd("cache", "purge", "--root", root.path, url, "--json")
                #expect(run.status == 0, "\(run.errors)")
                #expect(try run.contents.first?["responses"] == 1)
                #expect(FileSystem.size(of: root.path(path)) == nil)
                let third = try await root.client.post(ServedPayload.media([url], title: "third"))
                #expect(third.json["outcome"] == "rich")
                #expect(third.json["content"]["attachments"]?.array?.first?["source"]["cache"] == "miss")
                #expect(origin.counts.requests == 2)
                #expect(FileSystem.size(of: root.path(path)) != nil)
            }
        }
    }

    @Test func `a transfer during a purge is not stored, and later requests do not join the transfer`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start("--config", try root.write("fetch: {hedgeAfter: none}", as: "c.yaml"))
                let url = origin.fresh("/delay/2s/photo-small.jpg")
                func post(_ title: String) async throws -> JSONValue {
                    try await root.client.post(
                        ServedPayload.envelope(ServedPayload.media([url], title: title), budget: "20s")
                    ).json
                }
                async let first = post("first")
                await origin.waitUntil { $0.requests == 1 }
                let run = try await ProgramRun.appgroupd("cache", "purge", "--root", root.path, url)
                #expect(run.status == 0, "\(run.errors)")
                async let second = post("second")
                await origin.waitUntil { $0.requests == 2 }
                let verdict = try await first["verdicts"]?.array?.first
                #expect(verdict?["reason"] == "storage-failed", "\(String(describing: verdict))")
                #expect(verdict?["detail"]?.string?.contains("the media item was purged while it was fetched") == true)
                #expect(try await second["outcome"] == "rich")
                let third = try await post("third")
                #expect(third["content"]["attachments"]?.array?.first?["source"]["cache"] == "hit")
                #expect(origin.counts.requests == 2)
                let list = try await ProgramRun.appgroupd("cache", "ls", "--root", root.path, "--json")
                #expect(try list.contents.first?["responses"]?.array?.count == 1)
            }
        }
    }

    @Test func `cache stats, verify and gc do not disturb a daemon, and stats has the daemon's hit ratio`() async throws
    {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let url = origin.image
                for title in ["one", "two"] {
                    let answer = try await root.client.post(ServedPayload.media([url], title: title))
                    #expect(answer.json["outcome"] == "rich")
                }
                let statistics = try await ProgramRun.appgroupd("cache", "stats", "--root", root.path, "--json")
                #expect(try statistics.contents.first?["hitRatio"]?.double == 0.5)
                let verified = try await ProgramRun.appgroupd("cache", "verify", "--repair", "--root", root.path)
                #expect(verified.status == 0, "\(verified.output)")
                let collected = try await ProgramRun.appgroupd("cache", "gc", "--root", root.path)
                #expect(collected.status == 0, "\(collected.errors)")
                let answer = try await root.client.post(ServedPayload.media([url], title: "three"))
                #expect(answer.json["content"]["attachments"]?.array?.first?["source"]["cache"] == "hit")
            }
        }
    }

    @Test func `a running daemon uses the responses of an imported archive`() async throws {
        let first = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.image
            _ = try await ProgramRun.appgroupd(
                "process", "--root", first.path, "--allow-address", "127.0.0.0/8", "-",
                input: ServedPayload.media([url]))
            let streams = try TemporaryDirectory()
            let export = try ProgramRun.start(["cache", "export", "--root", first.path], in: streams)
            await export.ending.wait()
            try await ServedRoot.withRoot { root in
                _ = try await root.start()
                let run = try await ProgramRun.appgroupd("cache", "import", "--root", root.path, "\(streams.path)/out")
                #expect(run.status == 0, "\(run.errors)")
                let answer = try await root.client.post(ServedPayload.media([url]))
                #expect(answer.json["content"]["attachments"]?.array?.first?["source"]["cache"] == "hit")
                #expect(origin.counts.requests == 1)
            }
        }
    }
}
