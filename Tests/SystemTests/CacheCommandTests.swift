import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import appgroupd

/// Tests of `appgroupd cache` on a root without a daemon.
@Suite(.timeLimit(.minutes(1))) struct CacheCommandTests {
    /// Processes a payload with one image on a root.
    @discardableResult
    private func process(_ url: String, on root: String, id: String = "one") async throws -> JSONValue {
        let run = try await ProgramRun.appgroupd(
            "process", "--root", root, "--allow-address", "127.0.0.0/8", "--id", id, "-",
            input: ServedPayload.media([url]))
        return try #require(try run.contents.first)
    }

    private func json(_ arguments: String..., on root: String) async throws -> JSONValue {
        let run = try await ProgramRun.appgroupd(["cache"] + arguments + ["--root", root, "--json"])
        #expect(run.status == 0, "\(run.errors)")
        return try #require(try run.contents.first)
    }

    @Test func `an imported cache serves media without a request to the origin`() async throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.image
            try await process(url, on: first.path)
            let asked = origin.counts.requests
            let streams = try TemporaryDirectory()
            let export = try ProgramRun.start(["cache", "export", "--root", first.path], in: streams)
            await export.ending.wait()
            #expect(export.process.terminationStatus == 0)
            let report = try await json("import", "\(streams.path)/out", on: second.path)
            #expect(report["responses"] == 1)
            #expect(report["renditions"] == 1)
            let content = try await process(url, on: second.path)
            #expect(content["outcome"] == "rich")
            #expect(content["content"]["attachments"]?.array?.first?["source"]["cache"] == "hit")
            #expect(origin.counts.requests == asked)
            // The archive also has the renditions, so no worker decodes anything.
            let stages = content["verdicts"]?.array?.first?["stages"]?.array?.compactMap { $0["name"]?.string } ?? []
            #expect(!stages.contains("decode"), "\(stages)")
            #expect(try first.mediaFiles().filter(isMedia) == second.mediaFiles().filter(isMedia))
        }
    }

    private func isMedia(_ path: String) -> Bool { path.contains("/media/") }

    @Test func `an import of a truncated archive stores nothing and ends with status 1`() async throws {
        let (first, second) = (try TemporaryDirectory(), try TemporaryDirectory())
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            _ = try await process(origin.image, on: first.path)
        }
        let streams = try TemporaryDirectory()
        let export = try ProgramRun.start(["cache", "export", "--root", first.path], in: streams)
        await export.ending.wait()
        let archive = try Data(contentsOf: URL(filePath: "\(streams.path)/out"))
        try archive.dropLast(600).write(to: URL(filePath: "\(streams.path)/cut.tar"))
        let run = try await ProgramRun.appgroupd("cache", "import", "--root", second.path, "\(streams.path)/cut.tar")
        #expect(run.status == 1)
        #expect(run.errors.first?.contains("the archive is truncated") == true, "\(run.errors)")
        #expect(try second.files() == [".import/lock"])
    }

    @Test func `cache verify reports damage with status 1, and --repair removes the damage`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            _ = try await process(origin.image, on: root.path)
        }
        #expect(try await json("verify", on: root.path)["damages"] == [])
        let media = try #require(try root.mediaFiles().first(where: isMedia))
        try FileSystem.write([1], toFile: "\(root.path)/\(media)")
        let found = try await ProgramRun.appgroupd("cache", "verify", "--root", root.path)
        #expect(found.status == 1)
        #expect(found.output.first?.hasPrefix("truncated: \(media) [") == true, "\(found.output)")
        #expect(found.output.last?.hasPrefix("1 damage, 0 repaired in 1 response and ") == true, "\(found.output)")
        let repaired = try await json("verify", "--repair", on: root.path)
        #expect(repaired["damages"]?.array?.first?["repaired"] == true)
        #expect(try await json("verify", on: root.path)["damages"] == [])
    }

    @Test func `a purged image is requested from its origin again`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.image
            try await process(url, on: root.path)
            let report = try await json("purge", url, on: root.path)
            #expect(report["responses"] == 1)
            #expect((report["files"]?.integer ?? 0) >= 1)
            #expect(try root.files().filter { isMedia($0) || $0.hasPrefix(".cache/bodies/") } == [])
            let content = try await process(url, on: root.path, id: "two")
            #expect(content["content"]["attachments"]?.array?.first?["source"]["cache"] == "miss")
        }
    }

    @Test func `cache ls, show and stats report the stored entries`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let url = origin.image
            try await process(url, on: root.path)
            let list = try await json("ls", on: root.path)
            let response = try #require(list["responses"]?.array?.first)
            #expect(response["url"]?.string == url)
            #expect(response["type"] == "image/jpeg")
            let file = try #require(list["files"]?.array?.first)
            for key in [url, response["id"]?.string ?? ""] {
                let shown = try await json("show", key, on: root.path)["responses"]?.array?.first
                #expect(shown["status"] == 200)
                #expect(shown["renditions"]?.array?.count == 1)
            }
            let text = try await ProgramRun.appgroupd("cache", "show", "--root", root.path, url)
            #expect(text.output.contains("url: \(url)"), "\(text.output)")
            #expect(text.output.contains("  Content-Type: image/jpeg"), "\(text.output)")
            let digest = String((file["sha256"]?.string ?? "").prefix(8))
            let references = try await json("show", digest, on: root.path)["files"]?.array?.first["references"]?.array
            #expect(references?.compactMap { $0["url"]?.string } == [url, url])
            let statistics = try await json("stats", on: root.path)
            #expect(statistics["hitRatio"] == .null)
            #expect(statistics["responses"]["byHost"]["127.0.0.1"]["entries"] == 1)
            #expect(statistics["responses"]["byType"]["image/jpeg"]["bytes"] == response["bytes"])
            #expect(statistics["files"]["entries"]?.integer == list["files"]?.array?.count)
            let words = try await ProgramRun.appgroupd("cache", "stats", "--root", root.path)
            #expect(words.output.first == "hit ratio: unknown, because only a running daemon counts it")
            for command in ["ls", "stats"] {
                let text = try await ProgramRun.appgroupd("cache", command, "--root", root.path)
                #expect(text.status == 0)
                #expect(text.output.contains { $0.contains("image/jpeg") }, "\(text.output)")
            }
        }
    }

    @Test func `cache gc evicts entries beyond the limits of the configuration`() async throws {
        let root = try TemporaryDirectory()
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            _ = try await process(origin.image, on: root.path)
        }
        let kept = try await json("gc", on: root.path)
        #expect(kept["responses"]["kept"] == 1)
        let file = try root.write("fetch: {cacheQuota: 10B}\n", as: "small.yaml")
        let run = try await ProgramRun.appgroupd("cache", "gc", "--root", root.path, "--config", file, "--json")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try run.contents.first?["responses"] == ["evicted": 1, "kept": 0, "keptBytes": 0])
        #expect(try root.files().filter { $0.hasPrefix(".cache/bodies/") } == [])
    }

    @Test(arguments: [
        (["purge", "cdn.example/x"], "begins with its scheme"), (["purge", "a b"], "cannot be purged"),
        (["purge", "https://*"], "cannot be purged"), (["ls", "--root", "/nowhere"], "this is not a directory"),
        (["export", "--group", "../x"], "is not the name of an app group"), (["vrfy"], "vrfy"),
    ])
    func `wrong usage of cache ends with status 2 and one line`(_ arguments: [String], _ says: String) async throws {
        let root = try TemporaryDirectory()
        let place = arguments.contains("--root") || arguments == ["vrfy"] ? [] : ["--root", root.path]
        let run = try await ProgramRun.appgroupd(["cache"] + arguments + place)
        #expect(run.status == 2)
        #expect(run.errors.count == 1)
        #expect(run.errors.first?.contains(says) == true, "\(run.errors)")
    }

    @Test func `cache show ends with status 1 for an unknown key`() async throws {
        let root = try TemporaryDirectory()
        let run = try await ProgramRun.appgroupd("cache", "show", "--root", root.path, "https://a.example/")
        #expect(run.status == 1)
        #expect(run.errors.count == 1)
    }

    @Test func `cache ls, stats, gc and verify accept an empty root`() async throws {
        let root = try TemporaryDirectory()
        for command in ["ls", "stats", "gc", "verify"] {
            let run = try await ProgramRun.appgroupd("cache", command, "--root", root.path)
            #expect(run.status == 0, "\(command): \(run.errors)")
        }
    }
}
